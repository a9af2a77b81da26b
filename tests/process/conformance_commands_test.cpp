// The program as its users meet it: exit statuses, choices, reports and the baseline, with the hello server.
#include "conformance_run.hpp"

#define BOOST_TEST_MODULE conformance_commands_test
#include <boost/test/unit_test.hpp>
#include <toolwire/schema.hpp>

#include <sched.h>
#include <sys/stat.h>

#include <chrono>
#include <csignal>
#include <set>

#include "file_content.hpp"
#include "scratch_folder.hpp"

using toolwire::Json;
using toolwire_test::conformance;
using toolwire_test::ConformanceRun;
using toolwire_test::content_of;
using toolwire_test::left_something;
using toolwire_test::ScratchFolder;

namespace {

ConformanceRun judge_hello(std::vector<std::string> options) {
  options.insert(options.end(), {"--", TOOLWIRE_BIN_DIR "/hello"});
  return conformance(options);
}

std::set<std::string> values_of(const ConformanceRun& run, std::string_view member) {
  std::set<std::string> values;
  const Json report = run.json();
  for (const Json& check : report.at("checks").as_array()) values.insert(std::string(check.at(member).as_string()));
  return values;
}

/// Fails ping-empty-result and nothing else of the group.
constexpr const char* wrong_ping =
    "while read -r line; do id=${line#*\\\"id\\\":}; id=${id%%,*}; case $line in\n"
    "*initialize\\\"*) echo '{\"jsonrpc\":\"2.0\",\"id\":'$id',\"result\":{\"protocolVersion\":\"2025-11-25\","
    "\"capabilities\":{},\"serverInfo\":{\"name\":\"wrong\",\"version\":\"1\"}}}';;\n"
    "*ping*) echo '{\"jsonrpc\":\"2.0\",\"id\":'$id',\"result\":{\"pong\":true}}';; esac; done";

/// Never answers a ping, and says to the file $1 that it was pinged.
constexpr const char* silent_at_pings =
    "while read -r line; do id=${line#*\\\"id\\\":}; id=${id%%,*}; case $line in\n"
    "*initialize\\\"*) echo '{\"jsonrpc\":\"2.0\",\"id\":'$id',\"result\":{\"protocolVersion\":\"2025-11-25\","
    "\"capabilities\":{},\"serverInfo\":{\"name\":\"silent\",\"version\":\"1\"}}}';;\n"
    "*discover*) echo '{\"jsonrpc\":\"2.0\",\"id\":'$id',\"error\":{\"code\":-32601,\"message\":\"no\"}}';;\n"
    "*ping*) echo pinged > \"$1\";; esac; done";

}  // namespace

BOOST_AUTO_TEST_CASE(a_server_without_failures_ends_with_zero) {
  const ConformanceRun run = judge_hello({"--only", "ping"});
  BOOST_TEST(run.status == 0);
  BOOST_TEST(run.says("PASS ping"));
}

BOOST_AUTO_TEST_CASE(only_and_revision_choose) {
  const ConformanceRun run = judge_hello({"--only", "ping-string-id", "--revision", "2025-06-18", "--json", "-"});
  BOOST_TEST((values_of(run, "id") == std::set<std::string>{"ping-string-id"}));
  BOOST_TEST((values_of(run, "revision") == std::set<std::string>{"2025-06-18"}));
}

BOOST_AUTO_TEST_CASE(the_json_report_of_a_real_run_fits_its_schema) {
  const ConformanceRun run = judge_hello({"--only", "ping,schema-lint,start-up", "--json", "-"});
  const Json schema = toolwire::parse_json(content_of(TOOLWIRE_SOURCE_DIR "/conformance/report/report.schema.json"));
  for (const auto& violation : toolwire::Schema::compile(schema).validate(run.json())) BOOST_ERROR(violation.text());
  BOOST_TEST(values_of(run, "revision").size() == 5U);
}

BOOST_AUTO_TEST_CASE(a_failure_ends_with_one_and_a_baseline_makes_it_known) {
  const ScratchFolder folder;
  const std::string server = folder.file("server.sh", wrong_ping).string();
  const std::string baseline = (folder / "baseline.json").string();
  const auto judge = [&](std::vector<std::string> options) {
    options.insert(options.end(), {"--timeout", "2", "--only", "ping-empty-result", "--revision", "2025-11-25", "--",
                                   "/bin/sh", server});
    return conformance(options);
  };
  const ConformanceRun first = judge({});
  BOOST_TEST_MESSAGE(first.out);
  BOOST_TEST(first.status == 1);
  BOOST_TEST(first.says("{\"pong\":true}"));
  BOOST_TEST(first.says("--only ping-empty-result --revision 2025-11-25 --timeout 2 -- /bin/sh"));
  BOOST_TEST(judge({"--baseline", baseline}).status == 2);
  BOOST_TEST(judge({"--baseline", baseline, "--write-baseline"}).status == 0);
  const ConformanceRun known = judge({"--baseline", baseline});
  BOOST_TEST(known.status == 0);
  BOOST_TEST(known.says("1 known failure"));
}

BOOST_AUTO_TEST_CASE(all_reports_are_written) {
  const ScratchFolder folder;
  const auto file = [&](const char* name) { return (folder / name).string(); };
  judge_hello({"--only", "ping", "--json", file("r.json"), "--junit", file("r.xml"), "--html", file("r.html"),
               "--badge", file("b.svg"), "--sarif", file("r.sarif")});
  BOOST_TEST(toolwire::parse_json(content_of(file("r.json"))).is_object());
  BOOST_TEST(content_of(file("r.xml")).starts_with("<?xml"));
  BOOST_TEST(content_of(file("r.html")).starts_with("<!DOCTYPE html>"));
  BOOST_TEST(content_of(file("b.svg")).starts_with("<svg"));
  BOOST_TEST(toolwire::parse_json(content_of(file("r.sarif"))).at("version") == "2.1.0");
}

BOOST_AUTO_TEST_CASE(a_report_that_cannot_be_written_is_known_before_the_run) {
  const ConformanceRun run = judge_hello({"--json", "/nowhere/at/all.json"});
  BOOST_TEST(run.status == 2);
  BOOST_TEST(run.says("cannot write /nowhere/at/all.json"));
}

BOOST_AUTO_TEST_CASE(a_baseline_that_cannot_be_written_is_known_before_the_run) {
  const ScratchFolder folder;
  const std::string started = (folder / "started").string();
  const ConformanceRun run = conformance(
      {"--baseline", "/nowhere/known.json", "--write-baseline", "--", "/bin/sh", "-c", "echo > \"$0\"", started});
  BOOST_TEST(run.status == 2);
  BOOST_TEST(run.says("cannot write /nowhere/known.json"));
  BOOST_TEST(!std::filesystem::exists(started));
}

BOOST_AUTO_TEST_CASE(one_report_that_cannot_be_written_does_not_keep_back_the_others) {
  const ScratchFolder folder;
  const std::string junit = (folder / "report.xml").string();
  const ConformanceRun run = judge_hello({"--only", "ping", "--json", "/dev/full", "--junit", junit});
  BOOST_TEST(run.status == 2);
  BOOST_TEST(run.says("cannot write /dev/full"));
  BOOST_TEST(content_of(junit).starts_with("<?xml"));
}

BOOST_AUTO_TEST_CASE(standard_output_that_takes_no_report_is_told) {
  const std::string program = TOOLWIRE_BIN_DIR "/toolwire-conformance";
  const std::string hello = TOOLWIRE_BIN_DIR "/hello";
  const auto run = toolwire_test::run_program(
      {.command = {"/bin/sh", "-c", R"("$0" --only ping --json - -- "$1" > /dev/full)", program, hello}});
  BOOST_TEST(run.status == 2);
  BOOST_TEST(run.errors.find("cannot write the report to standard output") != std::string::npos, run.errors);
}

/// Who reads a pipe would be at its end if it was opened to see whether it can be.
BOOST_AUTO_TEST_CASE(a_pipe_gets_a_report) {
  const ScratchFolder folder;
  const std::string pipe = (folder / "report.json").string();
  BOOST_TEST_REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  toolwire::ChildProcess process({.command = {TOOLWIRE_BIN_DIR "/toolwire-conformance", "--only", "ping", "--json",
                                              pipe, "--", TOOLWIRE_BIN_DIR "/hello"}});
  const std::string report = content_of(pipe);
  BOOST_TEST_REQUIRE(!report.empty());
  BOOST_TEST(toolwire::parse_json(report).is_object());
}

BOOST_AUTO_TEST_CASE(a_link_to_a_report_that_is_not_there_yet_stays_one) {
  const ScratchFolder folder;
  folder.link("report.json", "link.json");
  judge_hello({"--only", "ping", "--json", (folder / "link.json").string()});
  BOOST_TEST(std::filesystem::is_symlink(folder / "link.json"));
  BOOST_TEST(toolwire::parse_json(content_of(folder / "report.json")).is_object());
}

BOOST_AUTO_TEST_CASE(no_colour_goes_into_a_pipe) { BOOST_TEST(!judge_hello({"--only", "ping"}).says("\x1b")); }

BOOST_AUTO_TEST_CASE(colour_can_be_forced) {
  BOOST_TEST(judge_hello({"--only", "ping", "--color"}).says("\x1b[32mPASS\x1b[0m"));
}

BOOST_AUTO_TEST_CASE(list_and_explain_need_no_server) {
  const ConformanceRun list = conformance({"--list"});
  BOOST_TEST(list.status == 0);
  BOOST_TEST(list.says("ping-prompt"));
  const ConformanceRun one = conformance({"--explain", "ping-prompt"});
  BOOST_TEST(one.status == 0);
  BOOST_TEST(one.says("Do not run tools on the thread that reads"));
  BOOST_TEST(conformance({"--explain", "nothing"}).status == 2);
}

BOOST_AUTO_TEST_CASE(a_senseless_command_line_ends_with_two) {
  BOOST_TEST(conformance({}).status == 2);
  BOOST_TEST(conformance({"--only", "nothing", "--", "x"}).status == 2);
  BOOST_TEST(conformance({"bench"}).status == 2);
}

BOOST_AUTO_TEST_CASE(bench_measures_a_server_without_the_usual_tools) {
  const std::string hello = TOOLWIRE_BIN_DIR "/hello";
  const ConformanceRun run = conformance({"bench", "--quick", "--only", "start,unpinned", "--", hello});
  BOOST_TEST_MESSAGE(run.out + run.errors);
  BOOST_TEST(run.status == 0);
  BOOST_TEST(run.says("start-up, ms"));
  BOOST_TEST(run.says("neither tool:echo of the profile nor echo {text} may be called"));
}

BOOST_AUTO_TEST_CASE(bench_says_before_it_begins_that_it_cannot_write_its_report) {
  const ConformanceRun run =
      conformance({"bench", "--quick", "--json", "/nowhere/report.json", "--", TOOLWIRE_BIN_DIR "/hello"});
  BOOST_TEST(run.status == 2);
  BOOST_TEST(run.errors.find("cannot write /nowhere/report.json") != std::string::npos, run.errors);
  BOOST_TEST(run.errors.find("round 1") == std::string::npos, run.errors);
}

BOOST_AUTO_TEST_CASE(bench_writes_its_report_to_standard_output_and_nothing_else) {
  const ConformanceRun run =
      conformance({"bench", "--quick", "--only", "start", "--json", "-", "--", TOOLWIRE_BIN_DIR "/hello"});
  BOOST_TEST(run.status == 0);
  BOOST_TEST(toolwire::parse_json(run.out).is_object());
  BOOST_TEST(run.errors.find("start-up, ms") != std::string::npos, run.errors);
}

BOOST_AUTO_TEST_CASE(bench_names_the_program_that_there_is_not) {
  const ConformanceRun run = conformance({"bench", "--quick", "--", "no-such-server"});
  BOOST_TEST(run.status == 2);
  BOOST_TEST(run.errors.find("cannot start no-such-server, as there is no such program on PATH") != std::string::npos,
             run.errors);
}

BOOST_AUTO_TEST_CASE(a_banner_is_found_whatever_is_asked_for) {
  const ScratchFolder folder;
  const std::string server = folder.file("server.sh", std::string("echo welcome\n") + wrong_ping).string();
  const ConformanceRun run =
      conformance({"--timeout", "2", "--only", "ping-string-id", "--revision", "2025-11-25", "--", "/bin/sh", server});
  BOOST_TEST_MESSAGE(run.out);
  BOOST_TEST(run.says("FAIL start-messages-only"));
  BOOST_TEST(run.says("welcome"));
}

/// It has no completions. A check that only observes has the traffic of looking, and is judged.
BOOST_AUTO_TEST_CASE(a_run_that_judged_nothing_fails) {
  BOOST_TEST(judge_hello({"--only", "stdio-stdout-only-mcp", "--revision", "2025-11-25"}).status == 0);
  const ConformanceRun skipped = judge_hello({"--only", "completion-max-100", "--revision", "2025-11-25"});
  BOOST_TEST_MESSAGE(skipped.out);
  BOOST_TEST(skipped.status == 1);
  BOOST_TEST(skipped.says("nothing could be judged"));
}

/// What a passive check found is found again by the command that its report gives.
BOOST_AUTO_TEST_CASE(the_command_that_repeats_a_finding_finds_it_again) {
  const ScratchFolder folder;
  const std::string noisy = wrong_ping;
  const std::string server = folder
                                 .file("server.sh", noisy.substr(0, noisy.find("*ping*)")) + "*ping*) echo noise; " +
                                                        noisy.substr(noisy.find("*ping*)") + 7))
                                 .string();
  const ConformanceRun first = conformance({"--json", "-", "--timeout", "2", "--only", "ping,stdio-framing",
                                            "--revision", "2025-11-25", "--", "/bin/sh", server});
  const Json report = first.json();
  std::string repeat;
  for (const Json& check : report.at("checks").as_array()) {
    if (check.at("id") == "stdio-stdout-only-mcp") repeat = std::string(check.at("repeat").as_string());
  }
  const std::string only =
      repeat.substr(repeat.find("--only ") + 7, repeat.find(" --revision") - repeat.find("--only ") - 7);
  BOOST_TEST_REQUIRE(only.find(',') != std::string::npos, repeat);
  const ConformanceRun again =
      conformance({"--timeout", "2", "--only", only, "--revision", "2025-11-25", "--", "/bin/sh", server});
  BOOST_TEST(again.says("FAIL stdio-stdout-only-mcp"));
}

/// Four checks fail of one thing, which is told once, with a pipeline that shows it without this program.
BOOST_AUTO_TEST_CASE(a_server_that_ends_at_bad_lines_is_blamed_once) {
  const ScratchFolder folder;
  const std::string loop = wrong_ping;
  const std::string head = "while read -r line; do ";
  const std::string server =
      folder.file("server.sh", head + "case $line in {*}) ;; *) exit 3;; esac; " + loop.substr(head.size())).string();
  const ConformanceRun run =
      conformance({"--json", "-", "--timeout", "2", "--only",
                   "rb-parse-error-recovery,rb-bom,rb-http-or-lsp-input,rpc-parse-error-code,rpc-non-object-message",
                   "--revision", "2025-11-25", "--", "/bin/sh", server});
  BOOST_TEST_MESSAGE(run.errors);
  const Json report = run.json();
  BOOST_TEST(report.at("summary").at("fail") == Json(1));
  BOOST_TEST(report.at("summary").at("warn") == Json(0));
  BOOST_TEST_REQUIRE(report.at("causes").as_array().size() == 1U);
  BOOST_TEST(report.at("causes").at(0).at("id") == "ends-at-invalid-input");
  BOOST_TEST(report.at("causes").at(0).at("checks").as_array().size() >= 4U);
  std::string by_hand;
  for (const Json& check : report.at("checks").as_array()) {
    if (check.at("verdict") == "FAIL") by_hand = std::string(check.at("pipeline").as_string());
  }
  BOOST_TEST_MESSAGE(by_hand);
  BOOST_TEST(toolwire_test::run_program({.command = {"/bin/sh", "-c", by_hand}}).status == 3);
}

BOOST_AUTO_TEST_CASE(a_quick_run_judges_what_matters_in_the_newest_revision) {
  const ConformanceRun run = judge_hello({"--quick", "--json", "-"});
  const Json report = run.json();
  std::set<std::string> revisions;
  for (const Json& check : report.at("checks").as_array()) {
    if (check.at("group") != "start-up") revisions.insert(std::string(check.at("revision").as_string()));
  }
  BOOST_TEST((revisions == std::set<std::string>{"2026-07-28"}));
  const auto groups = values_of(run, "group");
  BOOST_TEST((groups.contains("ping") || groups.contains("tools")));
  BOOST_TEST(!groups.contains("robustness-input"));
  BOOST_TEST(values_of(run, "id").size() > 40U);
  BOOST_TEST(run.status == 0);
}

/// The server never answers a ping, and answers may take ten minutes: without a budget the run would.
BOOST_AUTO_TEST_CASE(a_run_reports_what_it_has_found_when_its_time_is_over) {
  const ScratchFolder folder;
  const std::string server = folder.file("server.sh", silent_at_pings).string();
  const ConformanceRun run = conformance({"--timeout", "600", "--budget", "5", "--json", "-", "--only", "ping,start-up",
                                          "--revision", "2025-11-25", "--", "/bin/sh", server, "/dev/null"});
  BOOST_TEST_MESSAGE(run.errors);
  const Json report = run.json();
  BOOST_TEST(report.at("summary").at("partial") == "its time was over");
  BOOST_TEST(report.at("summary").at("fail") == Json(0));
  BOOST_TEST(run.says("the run ended before it was through: its time was over"));
  BOOST_TEST(run.says("PASS start-up"));
  BOOST_TEST(!left_something(run));
}

/// A run that waits for the answer to a ping, once it has judged something.
struct WaitingRun {
  explicit WaitingRun(const std::vector<std::string>& more = {}) : process({.command = command(more)}) {
    content_of(pinged);  // which ends once the server was pinged
  }

  std::vector<std::string> command(const std::vector<std::string>& more) const {
    BOOST_TEST_REQUIRE(::mkfifo(pinged.c_str(), 0600) == 0);
    std::vector<std::string> all{TOOLWIRE_BIN_DIR "/toolwire-conformance",
                                 "--timeout",
                                 "600",
                                 "--json",
                                 report_file,
                                 "--jobs",
                                 "1",
                                 "--only",
                                 "ping-empty-result,start-up",
                                 "--revision",
                                 "2025-11-25"};
    all.insert(all.end(), more.begin(), more.end());
    all.insert(all.end(), {"--", "/bin/sh", server, pinged});
    return all;
  }
  Json report() const { return toolwire::parse_json(content_of(report_file)); }

  ScratchFolder folder;
  std::string report_file = (folder / "report.json").string();
  std::string server = folder.file("server.sh", silent_at_pings).string();
  std::string pinged = (folder / "pinged").string();
  toolwire::ChildProcess process;
};

BOOST_AUTO_TEST_CASE(an_interrupted_run_reports_what_it_has_found) {
  WaitingRun run;
  // As where what runs it passes on what a terminal has sent to both: later it would be another wish.
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
  for (int i = 0; i < 5 && std::chrono::steady_clock::now() < until; ++i) {
    BOOST_TEST(::kill(run.process.id(), SIGINT) == 0);
    ::sched_yield();
  }
  BOOST_TEST(run.process.wait().code == 130);
  const Json report = run.report();
  BOOST_TEST(report.at("summary").at("partial") == "it was interrupted");
  BOOST_TEST(report.at("checks").as_array().size() > 1U);
}

BOOST_AUTO_TEST_CASE(an_interrupted_run_that_was_to_write_a_baseline_reports_too) {
  const ScratchFolder folder;
  const std::string known = (folder / "known.json").string();
  WaitingRun run({"--baseline", known, "--write-baseline"});
  BOOST_TEST(::kill(run.process.id(), SIGINT) == 0);
  BOOST_TEST(run.process.wait().code == 130);
  BOOST_TEST(run.report().at("summary").at("partial") == "it was interrupted");
  BOOST_TEST(!std::filesystem::exists(known));
}

BOOST_AUTO_TEST_CASE(a_run_that_is_ended_by_a_signal_leaves_no_temporary_folders) {
  const ScratchFolder folder;
  const std::string temporary = folder.folder("temporary").string();
  const std::string started = (folder / "started").string();
  BOOST_TEST_REQUIRE(::mkfifo(started.c_str(), 0600) == 0);
  toolwire::ChildProcess process({.command = {TOOLWIRE_BIN_DIR "/toolwire-conformance", "client", "--", "/bin/sh", "-c",
                                              "echo > \"$0\"; exec sleep 600", started},
                                  .environment = {{"TMPDIR", temporary}}});
  content_of(started);
  BOOST_TEST(!std::filesystem::is_empty(temporary));
  BOOST_TEST(::kill(process.id(), SIGTERM) == 0);
  BOOST_TEST(process.wait().signal == SIGTERM);
  BOOST_TEST(std::filesystem::is_empty(temporary));
}

BOOST_AUTO_TEST_CASE(two_reports_are_compared) {
  const ScratchFolder folder;
  const auto file = [&](const char* name) { return (folder / name).string(); };
  judge_hello({"--only", "ping", "--json", file("all.json")});
  judge_hello({"--only", "ping-string-id", "--json", file("one.json")});
  BOOST_TEST(conformance({"compare", file("all.json"), file("all.json")}).status == 0);
  const ConformanceRun fewer = conformance({"compare", file("all.json"), file("one.json")});
  BOOST_TEST(fewer.status == 1);
  BOOST_TEST(fewer.says("not judged any more"));
  BOOST_TEST(conformance({"compare", file("one.json"), file("all.json")}).status == 0);
  BOOST_TEST(conformance({"compare", file("one.json")}).status == 2);
  BOOST_TEST(conformance({"compare", file("one.json"), "/nowhere.json"}).status == 2);
}

BOOST_AUTO_TEST_CASE(github_gets_annotations_and_a_summary) {
  const ScratchFolder folder;
  const std::string server = folder.file("server.sh", wrong_ping).string();
  const std::string summary = (folder / "summary.md").string();
  toolwire::Program program{
      .command = {TOOLWIRE_BIN_DIR "/toolwire-conformance", "--github", "--timeout", "2", "--only", "ping-empty-result",
                  "--revision", "2025-11-25", "--", "/bin/sh", server},
      .environment = {{"GITHUB_STEP_SUMMARY", summary}}};
  const auto run = toolwire_test::run_program(program);
  BOOST_TEST_MESSAGE(run.out);
  BOOST_TEST(run.status == 1);
  BOOST_TEST(run.out.find("\n::error ") != std::string::npos);
  BOOST_TEST(content_of(summary).starts_with("## MCP conformance: FAIL"));
}

BOOST_AUTO_TEST_CASE(lint_says_what_hosts_do_with_the_tools_of_a_file) {
  const ScratchFolder folder;
  const std::string good = R"({"name":"add","description":"Adds.","annotations":{"readOnlyHint":true},)"
                           R"("inputSchema":{"type":"object","properties":{}}})";
  const std::string bad = R"({"name":"pick one","inputSchema":{"type":"object","oneOf":[{}]}})";
  const auto lint = [&](const std::string& json, std::vector<std::string> options) {
    options.insert(options.begin(), "lint");
    options.push_back(folder.file("tools.json", json).string());
    return conformance(options);
  };
  for (const std::string& json : {"[" + good + "," + bad + "]", R"({"tools":[)" + good + "," + bad + "]}",
                                  R"({"jsonrpc":"2.0","id":1,"result":{"tools":[)" + good + "," + bad + "]}}"}) {
    const ConformanceRun run = lint(json, {"--only", "lint-claude,lint-names"});
    BOOST_TEST(run.status == 1);
    BOOST_TEST(run.says("pick one: refused, #: \"oneOf\" at the root"));
    BOOST_TEST(run.says("pick one: a name with other characters"));
    BOOST_TEST(!run.says("add:"));
  }
  BOOST_TEST(lint("[" + good + "]", {"--only", "lint-claude,lint-names"}).status == 0);
  BOOST_TEST(lint("[]", {}).status == 2);
  BOOST_TEST(lint("{}", {}).says("expected a list of tools"));
  for (const char* none : {"[1]", "[{}]", R"([{"type":"function","function":{"name":"add","parameters":{}}}])"})
    BOOST_TEST(lint(none, {}).says("expected tools with a string \"name\" and an object \"inputSchema\""), none);
  BOOST_TEST(lint("[]", {"--only", "ping"}).says("\"ping\" is no check of the group schema-lint"));
  BOOST_TEST(conformance({"lint"}).status == 2);
}

BOOST_AUTO_TEST_CASE(lint_asks_a_server_for_its_tools) {
  const ConformanceRun run = conformance({"lint", "--only", "lint-claude,lint-names", "--", TOOLWIRE_BIN_DIR "/hello"});
  BOOST_TEST_MESSAGE(run.errors);
  BOOST_TEST(run.status == 0);
  BOOST_TEST(run.says("lint-claude: nothing"));
  BOOST_TEST(conformance({"lint", "--", "/bin/true"}).says("cannot be opened"));
}

BOOST_AUTO_TEST_CASE(what_a_server_lacks_that_cannot_be_started_is_named) {
  const ScratchFolder folder;
  const auto script = [&](const char* name, const char* text) {
    const std::filesystem::path file = folder.file(name, text);
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return file.string();
  };
  const auto expect = [](const std::vector<std::string>& words, const std::string& text) {
    std::vector<std::string> arguments{"--"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    const ConformanceRun run = conformance(arguments);
    BOOST_TEST(run.status == 2);
    BOOST_TEST(run.says("cannot start " + words.front() + text + ": No such file or directory"), run.errors);
  };
  expect({"no-such-interpreter", "server.py"}, ", as there is no such program on PATH");
  expect({"/no/such/program"}, "");
  expect({script("old", "#! /no/such/python3 -u\nprint()\n")},
         ", as there is no /no/such/python3, which its first line names");
  expect({script("dos", "#!/bin/sh\r\necho\r\n")},
         ", as there is no /bin/sh\\r, which its first line names (its lines end as those of Windows do)");
}
