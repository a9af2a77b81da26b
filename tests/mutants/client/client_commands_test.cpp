// `toolwire-conformance client` as its users meet it: exit statuses, choices, words of the command, reports, the
// baseline.
#include <toolwire/json.hpp>
#include <toolwire/schema.hpp>

#define BOOST_TEST_MODULE client_commands_test
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include "client/check.hpp"
#include "conformance_run.hpp"
#include "driver/message.hpp"
#include "scratch_folder.hpp"

using namespace toolwire;
using toolwire::conformance::get;
using toolwire::conformance::text_of;
using toolwire_test::ConformanceRun;
using toolwire_test::ScratchFolder;

namespace {

using Words = std::vector<std::string>;

ConformanceRun client(const Words& options, const Words& host = {}) {
  Words all{"client"};
  all.insert(all.end(), options.begin(), options.end());
  if (!host.empty()) all.emplace_back("--");
  all.insert(all.end(), host.begin(), host.end());
  return toolwire_test::conformance(all);
}

/// The client that is judged, with a fault or none.
Words judged(const Words& options = {}) {
  Words host{JUDGED_CLIENT};
  host.insert(host.end(), options.begin(), options.end());
  host.insert(host.end(), {"--", "{server}"});
  return host;
}

/// One check, in one revision.
Words only(const std::string& check, const Words& more = {}) {
  Words options{"--only", check, "--revision", "2025-11-25"};
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_client_without_failures_ends_with_zero_and_one_with_a_failure_with_one) {
  const ConformanceRun right = client(only("client-ping-empty-result"), judged());
  BOOST_TEST(right.status == 0);
  BOOST_TEST(right.says("1 passed"));
  const ConformanceRun wrong = client(only("client-ping-empty-result"), judged({"--fault", "pong-text"}));
  BOOST_TEST(wrong.status == 1);
  BOOST_TEST(wrong.says("FAIL client-ping-empty-result"));
  BOOST_TEST(wrong.says("client --only client-ping-empty-result --revision 2025-11-25 -- "));
}

BOOST_AUTO_TEST_CASE(what_makes_no_sense_is_named) {
  const auto says = [](const ConformanceRun& run, const std::string& part) {
    BOOST_TEST_INFO(run.errors);
    BOOST_TEST((run.status == 2 && run.says(part)), part);
  };
  says(client({}), "no host");
  says(client({"--only", "ping"}, judged()), "\"ping\" is neither a check of hosts nor a group of them");
  says(client({"--revision", "2025-01-01"}, judged()), "\"2025-01-01\" is no revision");
  says(client({"stray"}, judged()), "\"stray\" is no option");
  says(client({"--write-baseline"}, judged()), "--baseline");
  says(client({"--profile", "/nowhere.json"}, judged()), "/nowhere.json");
  says(client({"--start-timeout", "5"}, {"/nowhere/host"}), "/nowhere/host");
}

BOOST_AUTO_TEST_CASE(a_profile_that_is_none_is_named) {
  const ScratchFolder folder;
  const auto says = [&](const std::string& profile, const std::string& part) {
    const ConformanceRun run = client({"--profile", folder.file("profile.json", profile).string()}, judged());
    BOOST_TEST_INFO(run.errors);
    BOOST_TEST((run.status == 2 && run.says(part)), part);
  };
  says("[]", "expected an object");
  says(R"({"calls": []})", "\"calls\": expected only \"call\"");
  says(R"({"call": "--call"})", "expected an array of texts");
  says(R"({"call": [7]})", "expected texts, found 7");
}

BOOST_AUTO_TEST_CASE(all_checks_are_listed_and_explained) {
  const ConformanceRun list = client({"--list"});
  for (const auto& check : conformance::host_checks()) BOOST_TEST(list.says(std::string(check.id)), check.id);
  const ConformanceRun one = client({"--explain", "client-foreign-line"});
  BOOST_TEST(one.status == 0);
  BOOST_TEST(one.says("client-foreign-line"));
  BOOST_TEST(client({"--explain", "client-nothing"}).status == 2);
}

BOOST_AUTO_TEST_CASE(the_json_report_fits_its_schema) {
  const ConformanceRun run =
      client(only("client-ping-empty-result", {"--json", "-"}), judged({"--fault", "pong-text"}));
  const std::string file = toolwire_test::content_of(TOOLWIRE_SOURCE_DIR "/conformance/report/report.schema.json");
  for (const auto& violation : Schema::compile(parse_json(file)).validate(run.json())) BOOST_ERROR(violation.text());
}

BOOST_AUTO_TEST_CASE(a_baseline_makes_a_failure_known) {
  const ScratchFolder folder;
  const std::string baseline = (folder / "baseline.json").string();
  const auto judge = [&](const Words& more, const Words& host) {
    return client(only("client-ping-empty-result", more), host);
  };
  const Words wrong = judged({"--fault", "pong-text"});
  BOOST_TEST(judge({"--baseline", baseline, "--write-baseline"}, wrong).status == 0);
  BOOST_TEST(judge({"--baseline", baseline}, wrong).status == 0);
}

BOOST_AUTO_TEST_CASE(the_server_stands_in_a_word_or_in_a_file_as_well) {
  const ScratchFolder folder;
  const std::string in_word = std::string(JUDGED_CLIENT) + " -- {server}";
  BOOST_TEST(client(only("client-ping-empty-result"), {"/bin/sh", "-c", in_word}).status == 0);
  const std::string script =
      "words=$(sed 's/.*\"command\":\"\\([^\"]*\\)\",\"args\":\\[\"\\([^\"]*\\)\",\"\\([^\"]*\\)\".*/\\1 \\2 \\3/' "
      "\"$1\")\n"
      "exec " JUDGED_CLIENT " -- $words\n";
  const std::string host = folder.file("host.sh", script).string();
  BOOST_TEST(client(only("client-ping-empty-result"), {"/bin/sh", host, "{config}"}).status == 0);
  BOOST_TEST(client(only("client-ping-empty-result"), {JUDGED_CLIENT, "--"}).status == 0);
}

/// It calls what it was told to, and asks for nothing by itself.
BOOST_AUTO_TEST_CASE(a_host_that_is_told_to_call_is_not_blamed_for_the_call) {
  const ScratchFolder folder;
  const std::string script = R"sh(
{ printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"told","version":"1"}}}'
  sleep 0.5
  printf '%s\n' '{"jsonrpc":"2.0","method":"notifications/initialized"}' \
    '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"toolwire_echo","arguments":{"text":"hello"}}}'
  sleep 0.5
} | "$1" "$2" "$3"
)sh";
  const Words host{"/bin/sh", folder.file("host.sh", script).string(), "{server}"};
  const std::string profile = folder.file("profile.json", R"({"call": ["--call", "{tool}"]})").string();
  BOOST_TEST(client(only("client-undeclared-tools"), host).says("1 failed"));
  BOOST_TEST(client(only("client-undeclared-tools", {"--profile", profile}), host).status == 0);
}

BOOST_AUTO_TEST_CASE(a_budget_ends_the_run_with_what_was_found) {
  const ConformanceRun run = client({"--budget", "2", "--json", "-", "--jobs", "1"}, judged());
  const Json report = run.json();
  BOOST_TEST(!get(report, "checks").as_array().empty());
  BOOST_TEST(!toolwire_test::left_something(run));
}

BOOST_AUTO_TEST_CASE(nothing_is_left_of_hosts_that_hang_and_of_their_servers) {
  const ConformanceRun run =
      client(only("client-server-ends-in-call", {"--timeout", "0.5", "--watch", "1", "--jobs", "1"}),
             judged({"--fault", "waits-for-ever"}));
  BOOST_TEST(run.says("client-server-ends-in-call"));
  BOOST_TEST(run.status < 2);
  BOOST_TEST(!toolwire_test::left_something(run));
}
