// Programs that are no servers: each gets a clear report, in time, and nothing of it is left running.
#include "conformance_run.hpp"

#define BOOST_TEST_MODULE conformance_bad_servers_test
#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>
#include <vector>

#include "scratch_folder.hpp"

using toolwire::Json;
using toolwire_test::conformance;
using toolwire_test::ConformanceRun;
using toolwire_test::left_something;
using toolwire_test::ScratchFolder;

namespace {

/// In seconds: it is found as soon as enough has come, which takes longer on a busy machine.
const char* const time_for_a_flood = "60";

/// A shell script as a server.
struct BadServer {
  ScratchFolder folder;
  std::string script;
  std::string start_timeout;

  explicit BadServer(const std::string& text, std::string seconds = "2")
      : script(folder.file("server.sh", text).string()), start_timeout(std::move(seconds)) {}

  ConformanceRun judge(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {"--json", "-", "--start-timeout", start_timeout};
    arguments.insert(arguments.end(), more.begin(), more.end());
    arguments.insert(arguments.end(), {"--", "/bin/sh", script});
    return conformance(arguments);
  }
};

/// The id of the one check that failed.
std::string failed_check(const ConformanceRun& run) {
  std::string failed;
  const Json report = run.json();
  for (const Json& check : report.at("checks").as_array()) {
    if (check.at("verdict") == "FAIL") failed += std::string(check.at("id").as_string());
  }
  return failed;
}

void expect_report(const BadServer& server, const std::string& check, const std::string& text) {
  const ConformanceRun run = server.judge();
  BOOST_TEST_MESSAGE(run.errors);
  BOOST_TEST(run.status == 1);
  BOOST_TEST(failed_check(run) == check);
  BOOST_TEST(run.says(text), text);
  BOOST_TEST(!left_something(run));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_banner_instead_of_an_answer_is_shown) {
  expect_report(BadServer("echo 'Welcome to my server'; read -r all; sleep 100"), "start-messages-only",
                "Welcome to my server");
}

BOOST_AUTO_TEST_CASE(a_server_that_never_answers_is_told_so) {
  expect_report(BadServer("while read -r line; do :; done; sleep 100"), "start-answers", "no answer to initialize");
}

BOOST_AUTO_TEST_CASE(a_server_that_exits_at_once_is_shown_with_its_last_words) {
  expect_report(BadServer("echo 'API_KEY is not set' >&2; exit 3"), "start-stays", "API_KEY is not set");
}

BOOST_AUTO_TEST_CASE(a_server_that_exits_while_its_child_holds_the_output_is_not_waited_for) {
  expect_report(BadServer("sleep 100 & exit 3"), "start-stays", "exited with status 3");
}

BOOST_AUTO_TEST_CASE(a_flood_of_lines_ends_the_waiting) {
  expect_report(BadServer("exec yes", time_for_a_flood), "start-no-flood", "floods its standard output");
}

BOOST_AUTO_TEST_CASE(a_flood_without_line_feeds_ends_the_waiting) {
  expect_report(BadServer("exec tr '\\0' x < /dev/zero", time_for_a_flood), "start-no-flood",
                "floods its standard output");
}

BOOST_AUTO_TEST_CASE(an_echo_is_no_server) {
  const ConformanceRun run = conformance({"--json", "-", "--", "/bin/cat"});
  BOOST_TEST(run.status == 1);
  BOOST_TEST(failed_check(run) == "start-no-echo");
  BOOST_TEST(run.says("it sends our own requests back"));
  BOOST_TEST(!left_something(run));
}

/// All revisions at once, and one of them alone.
BOOST_AUTO_TEST_CASE(a_silent_server_costs_its_time_limit_twice) {
  const BadServer server("exec sleep 100");
  const Json report = server.judge().json();
  BOOST_TEST(report.at("summary").at("duration_ms").to_number<int>() < 15'000);  // twice 2 s, and slack
  BOOST_TEST(report.at("summary").at("fail") == Json(1));
}

BOOST_AUTO_TEST_CASE(children_that_left_the_session_are_ended_too) {
  expect_report(BadServer("setsid sh -c 'trap \"\" TERM HUP; while :; do sleep 1; done' & exec sleep 100"),
                "start-answers", "no answer to initialize");
}

BOOST_AUTO_TEST_CASE(a_revision_that_was_asked_for_and_is_not_served_is_a_failure) {
  const BadServer server(
      "while read -r line; do case $line in *initialize\\\"*) echo "
      "'{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2024-11-05\",\"capabilities\":{},"
      "\"serverInfo\":{\"name\":\"old\",\"version\":\"1\"}}}';; esac; done");
  const ConformanceRun run = server.judge({"--revision", "2025-11-25"});
  BOOST_TEST(run.status == 1);
  BOOST_TEST(failed_check(run) == "start-revision");
  BOOST_TEST(run.says("it offers \\\"2024-11-05\\\" instead"));
}

BOOST_AUTO_TEST_CASE(a_program_that_is_not_there_is_a_mistake_of_the_command_line) {
  const ConformanceRun run = conformance({"--", "/no/such/program"});
  BOOST_TEST(run.status == 2);
  BOOST_TEST(run.says("/no/such/program"));
}
