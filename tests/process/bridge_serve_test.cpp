// `toolwire-bridge serve` as a host uses it: the manifest of the discovery document, and tools of other servers.
#include <toolwire/client.hpp>

#define BOOST_TEST_MODULE bridge_serve_test
#include <boost/test/unit_test.hpp>

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "comes_true.hpp"
#include "process_status.hpp"
#include "serve_bench.hpp"

using namespace toolwire;
using namespace toolwire_test;
using namespace std::chrono_literals;
using Fixture = ServeFixture;

BOOST_FIXTURE_TEST_CASE(the_tool_of_the_document_is_served_as_the_mapping_says, Fixture) {
  for (const std::string& revision : eras) {
    Client client(serve(), {.revision = revision});
    BOOST_TEST(client.server().name == "agent-manager");
    const std::vector<ListedTool> tools = client.list_tools();
    BOOST_REQUIRE(tools.size() == 1);
    BOOST_TEST(tools[0].name == "spawn_coding_agent");
    BOOST_TEST(tools[0].description == "Spawn a coding agent to execute a software engineering task");
    BOOST_TEST(tools[0].input_schema.at_pointer("/properties/runner_type/default") == "claude-code");
    const Json& meta = tools[0].raw.at("_meta").at("dev.toolwire/metadata");
    BOOST_TEST(meta.at("cost_estimate") == "high");
    BOOST_TEST(meta.at("category") == "agent_lifecycle");
    const CallResult result = client.call("spawn_coding_agent", task);
    BOOST_TEST(!result.is_error);
    BOOST_TEST(result.text().find("r-1") != std::string::npos);
    BOOST_TEST(client.call("spawn_coding_agent", JsonObject{}).text().find("task") != std::string::npos);
  }
}

BOOST_FIXTURE_TEST_CASE(an_output_that_cannot_be_written_is_told_of_and_no_good_end, Fixture) {
  Program program = serve();
  program.command.insert(program.command.begin(), {"/bin/sh", "-c", R"(exec "$0" "$@" >/dev/full)"});
  const ProgramRun ended = run_program(program, R"({"jsonrpc":"2.0","id":1,"method":"ping"})"
                                                "\n");
  BOOST_TEST(ended.status == 1);
  BOOST_TEST(ended.errors.find("standard output cannot be written: No space left") != std::string::npos, ended.errors);
}

BOOST_FIXTURE_TEST_CASE(the_manifest_comes_back_member_for_member, Fixture) {
  folder.file("seed.json", seed_text());
  const ProgramRun ended = run({"manifest", "--", bridge_program, "serve", path("seed.json")});
  BOOST_TEST(ended.status == 0);
  BOOST_TEST(to_json_text(parse_json(ended.out)) == to_json_text(manifest));
}

BOOST_FIXTURE_TEST_CASE(the_deadline_of_the_manifest_holds, Fixture) {
  metadata("timeout_seconds") = 1;
  bind(R"j({"process": {"argv": ["/bin/sleep", "600"]}})j");
  for (const std::string& revision : eras) {
    Client client(serve(), {.revision = revision});
    const CallResult result = client.call("spawn_coding_agent", task);
    BOOST_TEST(code_of(result) == "timeout");
    BOOST_TEST(result.text().find("timed out after 1 s") != std::string::npos);
  }
}

// The program's parent is its keeper, whose parent is the bridge.
BOOST_FIXTURE_TEST_CASE(programs_files_timers_and_the_status_share_the_threads_of_the_server, Fixture) {
  const Json script =
      "bridge=$(sed -n 's/^PPid:.//p' /proc/$PPID/status); sed -n 's/^Threads:.//p' /proc/$bridge/status";
  bind(R"j({"process": {"argv": ["sh", "-c", )j" + to_json_text(script) + "]}}");
  Client client(serve());
  const int threads = std::stoi(client.call("spawn_coding_agent", task).text());
  BOOST_TEST(threads >= 4);  // that of main, the driver, the monitor, the log's
  BOOST_TEST(threads <= 6 + threads_of_sanitizer);
}

// The program is the reaper of what comes back from a keeper that was killed.
BOOST_FIXTURE_TEST_CASE(a_tool_that_kills_its_keeper_leaves_nothing_behind, Fixture) {
  const std::string id = path("id");
  const Json script("setsid sleep 600 & echo $! > " + id + "; kill -9 $PPID; sleep 600");
  bind(R"j({"process": {"argv": ["sh", "-c", )j" + to_json_text(script) + "]}}");
  Client client(serve());
  BOOST_TEST(code_of(client.call("spawn_coding_agent", task)) == "back_end_error");
  const pid_t left = static_cast<pid_t>(std::stol(content_of(id)));
  BOOST_TEST(::kill(left, 0) != 0);
  bind(R"j({"constant": {"result": "still here"}})j");
  BOOST_TEST(!Client(serve()).call("spawn_coding_agent", task).is_error);
}

BOOST_FIXTURE_TEST_CASE(what_a_server_has_left_behind_is_collected_when_it_ends, Fixture) {
  const Json script = "for i in 1 2 3 4 5; do (true &); done; exec '" TOOLWIRE_BIN_DIR "/hello'";
  folder.file("tools.bindings.json", R"j({"bindings": {"spawn_coding_agent": {"mcp": {"server": "s", "tool": "add"}}},
    "servers": {"s": {"command": ["sh", "-c", )j" +
                                         to_json_text(script) + "]}}}");
  Client client(serve());
  client.call("spawn_coding_agent", task);
  const std::string tasks = "/proc/" + std::to_string(client.process()->id()) + "/task";
  const auto children = [&] {
    std::size_t count = 0;
    for (const auto& thread : std::filesystem::directory_iterator(tasks)) {
      std::ifstream list(thread.path() / "children");
      for (pid_t id = 0; list >> id;) ++count;
    }
    return count;
  };
  const auto limit = std::chrono::steady_clock::now() + 20s;
  while (children() > 1 && std::chrono::steady_clock::now() < limit) std::this_thread::sleep_for(1ms);
  BOOST_TEST(children() == 1U);
}

BOOST_FIXTURE_TEST_CASE(tools_that_stop_their_keepers_do_not_hold_up_the_end, Fixture) {
  metadata("timeout_seconds") = 1;
  const std::string ids = path("ids");
  const Json script("echo $$ >> " + ids + "; kill -STOP $PPID; sleep 600");
  bind(R"j({"process": {"argv": ["sh", "-c", )j" + to_json_text(script) + R"j(], "grace_seconds": 0.1}})j");
  Program program = serve();
  program.errors = Program::Errors::discard;
  for (const bool by_signal : {false, true}) {
    folder.file("ids");
    ChildProcess bridge(program);
    std::string lines = R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",)"
                        R"("capabilities":{},"clientInfo":{"name":"t","version":"1"}}})"
                        "\n";
    for (int call = 1; call <= 8; ++call)
      lines += R"({"jsonrpc":"2.0","id":)" + std::to_string(call) +
               R"(,"method":"tools/call","params":{"name":"spawn_coding_agent","arguments":{"task":"x"}}})"
               "\n";
    bridge.transport().write(lines.data(), lines.size(), Transport::Blocking::yes);
    const auto begun = [&] {
      const std::string text = content_of(ids);
      return std::count(text.begin(), text.end(), '\n') == 8;
    };
    while (!begun()) std::this_thread::sleep_for(1ms);
    if (by_signal) {
      bridge.signal(SIGTERM);
    } else {
      bridge.close_input();
    }
    bridge.wait();
    std::ifstream list(ids);
    const auto limit = std::chrono::steady_clock::now() + 20s;  // the keepers end them after the bridge has gone
    for (pid_t id = 0; list >> id;) {
      while (::kill(id, 0) == 0 && std::chrono::steady_clock::now() < limit) std::this_thread::sleep_for(1ms);
      BOOST_TEST(::kill(id, 0) != 0);
    }
  }
}

BOOST_FIXTURE_TEST_CASE(problems_at_the_start_are_told_with_their_places_and_take_nothing_else_down, Fixture) {
  Json second = manifest.at_pointer("/tools/0");
  second.as_object()["name"] = "broken";
  second.as_object()["parameters"] = JsonArray{};
  manifest.at("tools").as_array().push_back(second);
  folder.file("tools.bindings.json", R"j({"bindings": {
    "spawn_coding_agent": {"constant": {"result": 1}}, "broken": {"mcp": {"server": "nowhere"}}}})j");
  const std::string file = write_manifest();
  const ProgramRun ended = run({"serve", file, "--list"});
  BOOST_TEST(ended.status == 0);
  BOOST_TEST(ended.out.find("spawn_coding_agent") != std::string::npos);
  BOOST_TEST(ended.out.find("broken") == std::string::npos);
  BOOST_TEST(ended.errors.find(file) != std::string::npos);
  BOOST_TEST(ended.errors.find("/tools/1/parameters") != std::string::npos);
  BOOST_TEST(ended.errors.find("/bindings/broken/mcp/server") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(the_start_says_which_programs_and_runtimes_are_not_confined, Fixture) {
  const auto count = [](const std::string& text, const std::string& part) {
    int found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  };
  folder.file("tools/nothing.py", "def tool_info():\n    return {'name': 'nothing'}\ndef tool_function():\n    pass\n");
  bind(R"j({"process": {"argv": ["true"]}})j");
  const ProgramRun free = run({"serve", write_manifest(), "--runtime", "mine=" + path("tools"), "--list"});
  BOOST_TEST(count(free.errors, R"(runtime "mine" is not confined: it may do what this user may)") == 1, free.errors);
  BOOST_TEST(count(free.errors, R"(not confined, so that they may do what this user may: "spawn_coding_agent")") == 1,
             free.errors);
  bind(R"j({"process": {"argv": ["true"], "confinement": {"network": "none"}}})j");
  const ProgramRun confined = run({"serve", write_manifest(), "--list"});
  BOOST_TEST(count(confined.errors, "not confined") == 0, confined.errors);
  BOOST_TEST(count(confined.errors, R"("spawn_coding_agent" runs with files=all, network=none)") == 1, confined.errors);
}

BOOST_FIXTURE_TEST_CASE(people_can_call_a_tool_without_a_host, Fixture) {
  const ProgramRun ended = run({"serve", write_manifest(), "--call", "spawn_coding_agent", R"j({"task": "x"})j"});
  BOOST_TEST(ended.status == 0);
  BOOST_TEST(ended.out.find("r-1") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(whoever_does_not_wait_for_a_call_ends_it_and_all_that_it_has_started, Fixture) {
  const std::string noted = path("process");
  bind(R"j({"process": {"argv": ["sh", "-c", "echo $$ > )j" + noted + R"j(; exec sleep 600"]}})j");
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    std::filesystem::remove(noted);
    ChildProcess called(serve({"--call", "spawn_coding_agent", R"j({"task": "x"})j"}));
    BOOST_REQUIRE(comes_true([&] { return content_of(noted).ends_with('\n'); }));
    called.signal(number);
    BOOST_TEST(called.wait().signal == number);
    BOOST_TEST(comes_true([&] { return has_ended(std::stoi(content_of(noted))); }));
  }
}

BOOST_FIXTURE_TEST_CASE(tools_of_another_server_are_offered_and_judged_alike, Fixture) {
  const std::string file = folder
                               .file("preferences.json", R"j({"tools": {"add": {"permissions": [
        {"arguments": {"properties": {"a": {"const": 13}}, "required": ["a"]}, "decision": "deny"}]}}})j")
                               .string();
  Client client(serve(
      {"--server", std::string("hello=") + TOOLWIRE_BIN_DIR "/hello", "--preferences", file, "--audit", path("log")}));
  BOOST_TEST(client.call("add", {{"a", 1}, {"b", 2}}).text() == "3");
  BOOST_TEST(code_of(client.call("add", {{"a", 13}, {"b", 2}})) == "denied");
  BOOST_TEST(content_of(path("log")).find("\"tool\":\"add\"") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_disabled_tool_of_another_server_is_not_listed_until_the_user_wants_it, Fixture) {
  const std::string file = folder.file("preferences.json", R"j({"tools": {"add": {"enabled": false}}})j").string();
  Client client(serve({"--server", "hello=" TOOLWIRE_BIN_DIR "/hello", "--preferences", file}));
  const auto is_listed = [&] {
    return std::ranges::any_of(client.list_tools(), [](const ListedTool& tool) { return tool.name == "add"; });
  };
  BOOST_TEST(!is_listed());
  Counter changes;
  const Subscription subscription = client.subscribe_tools([&] { changes.count(); });
  folder.file("preferences.json", R"j({"tools": {}})j");
  BOOST_TEST(changes.reaches(1));
  BOOST_TEST(is_listed());
}

BOOST_FIXTURE_TEST_CASE(a_tool_that_may_yet_come_is_unknown_with_who_is_starting, Fixture) {
  folder.file("tools/late.py", "import time\ntime.sleep(600)\n");
  Client client(serve({"--wait", "0", "--server", "silent=sleep 600", "--runtime", "mine=" + path("tools")}));
  BOOST_CHECK_EXCEPTION(client.call("late"), ProtocolError, [](const ProtocolError& error) {
    BOOST_TEST(error.code == error_code::invalid_params);
    BOOST_TEST(error.what() ==
               R"(Invalid params: Unknown tool "late"; tools/list names those there are; still starting,)"
               R"( so that more may come: server "silent", runtime "mine")");
    return true;
  });
}

BOOST_FIXTURE_TEST_CASE(a_tool_of_a_server_that_does_not_start_is_unknown_with_the_reason, Fixture) {
  folder.file("broken.sh", "echo 'there is no licence\nto be found' >&2; exit 3\n");
  Client client(serve({"--server", "broken=sh " + path("broken.sh")}));
  BOOST_CHECK_EXCEPTION(client.call("late"), ProtocolError, [](const ProtocolError& error) {
    const std::string_view text = error.what();
    BOOST_TEST(text.starts_with(R"(Invalid params: Unknown tool "late"; tools/list names those there are; )"
                                R"(not running: server "broken" ()"),
               text);
    BOOST_TEST(
        text.ends_with("exited with status 3; the last it wrote to standard error: there is no licence to be found)"),
        text);
    return true;
  });
}

BOOST_FIXTURE_TEST_CASE(a_host_hears_that_the_page_a_server_had_opened_is_done_with, Fixture) {
  std::string asked, done;
  Counter told;
  ClientOptions options{.revision = "2025-11-25"};
  options.capabilities = {{"elicitation", JsonObject{{"url", JsonObject{}}}}};
  options.on_elicitation = [&](const Elicitation& question) {
    asked = text_or(question.params, "elicitationId");
    told.count();
    return ElicitationReply{.action = ElicitationReply::Action::accept};
  };
  options.on_notification = [&](const std::string& method, const Json& params) {
    if (method != "notifications/elicitation/complete") return;
    done = text_or(params, "elicitationId");
    told.count();
  };
  Program program = serve();
  program.command.back() =
      folder
          .file("mcp.json", R"({"mcpServers": {"all": {"command": ")" TOOLWIRE_BIN_DIR R"(/everything"}},
              "toolwire": {"servers": {"all": {"revision": "2025-11-25"}}}})")
          .string();
  Client client(program, options);
  BOOST_TEST(!client.call("test_elicitation_url").is_error);
  BOOST_REQUIRE(told.reaches(2));
  BOOST_TEST(!asked.empty());
  BOOST_TEST(done == asked);
}

BOOST_AUTO_TEST_CASE(the_program_names_its_commands_and_the_nearest_one) {
  const ProgramRun help = run({"--help"});
  BOOST_TEST(help.status == 0);
  for (const char* const command : {"serve", "compose", "call", "check", "manifest", "http"})
    BOOST_TEST(help.out.find(command) != std::string::npos, command);
  const ProgramRun unknown = run({"sevre"});
  BOOST_TEST(unknown.status == 2);
  BOOST_TEST(unknown.errors.find("did you mean serve?") != std::string::npos);
  BOOST_TEST(run({}).status == 2);
  BOOST_TEST(run({"serve"}).status == 2);
  BOOST_TEST(run({"serve", "x.json", "--latent", "never"}).errors.find("--latent") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_bridge_that_is_started_without_input_ends, Fixture) {
  Program program = serve();
  program.command.insert(program.command.begin(), {"/bin/sh", "-c", "exec \"$@\" 0<&-", "sh"});
  ChildProcess process(program);
  BOOST_TEST(process.wait().code == 0);
}
