// Scenarios of an author's own, judged beside the checks: what they can say of a server, and what is said when it does
// otherwise.
#include "conformance_run.hpp"

#define BOOST_TEST_MODULE conformance_scenarios_test
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include "scratch_folder.hpp"

using namespace toolwire_test;
using toolwire::Json;

namespace {

/// Judged with the server `everything`, in both eras.
struct Scenarios {
  ScratchFolder folder;

  std::string file(const std::string& steps, const std::string& more = "") const {
    return folder
        .file("own.json", R"({"scenarios": [{"id": "it-does", "requires": "it does what I say")" + more +
                              R"(, "steps": [)" + steps + "]}]}")
        .string();
  }
  ConformanceRun judge(const std::string& steps, std::vector<std::string> options = {}) const {
    options.insert(options.begin(),
                   {"--scenarios", file(steps), "--only", "own", "--revision", "2025-11-25,2026-07-28"});
    options.insert(options.end(), {"--", TOOLWIRE_BIN_DIR "/everything"});
    return conformance(options);
  }
  void holds(const std::string& steps) const {
    const ConformanceRun run = judge(steps);
    BOOST_TEST(run.status == 0, steps << "\n" << run.out << run.errors);
    BOOST_TEST(run.says("PASS own"), run.out);
    BOOST_TEST(run.says("2 passed"), run.out);
  }
  void fails(const std::string& steps, const std::vector<std::string>& said) const {
    const ConformanceRun run = judge(steps);
    BOOST_TEST(run.status == 1, steps << "\n" << run.out << run.errors);
    for (const std::string& part : said) BOOST_TEST(run.says(part), part << "\n" << run.out);
  }
};

const std::string echo = R"("request": "tools/call", "params": {"name": "echo", "arguments": {"message": )";

}  // namespace

BOOST_FIXTURE_TEST_CASE(what_was_answered_is_matched_kept_and_used_again, Scenarios) {
  holds("{" + echo + R"("one"}}, "keep": {"said": "/content/0/text"}}, {)" + echo + R"("again: ${said}"}},
        "expect": {"result": {"content": {"$contains": {"text": {"$matches": "again: .*one"}}}}}})");
  fails("{" + echo + R"("one"}}, "expect": {"result": {"content": [{"text": "two"}]}}})",
        {"step 1, request \"tools/call\": a result of tools/call that matches", "at /content/0/text: expected \"two\"",
         "it does what I say", "--scenarios " + (folder / "own.json").string(), "by hand"});
  fails("{" + echo + R"("one"}}, "keep": {"said": "/content/7"}})", {"a value at /content/7, to be kept as \"said\""});
}

BOOST_FIXTURE_TEST_CASE(an_error_is_expected_by_its_code, Scenarios) {
  const std::string unknown = R"({"request": "tools/call", "params": {"name": "none"}, "expect": {"error": )";
  holds(unknown + R"({"code": -32602, "message": {"$matches": "none"}}}})");
  fails(unknown + R"({"code": -32601}}})", {"at /code: expected -32601, found -32602"});
  fails("{" + echo + R"("one"}}, "expect": {"error": {}}})", {"an error of tools/call", "the result {"});
  fails(R"({"request": "no/such"})", {"a result of no/such", "error -32601"});
}

BOOST_FIXTURE_TEST_CASE(a_request_goes_on_beside_others_and_can_be_cancelled, Scenarios) {
  const std::string slow = R"({"request": "tools/call", "as": "slow", "params": {"name": "test_slow",
      "arguments": {"seconds": )";
  holds(slow + R"(0.2}}}, {"request": "tools/list"}, {"await": "slow", "expect": {"result": {"content": [{}]}}})");
  holds(slow + R"(60}}}, {"cancel": "slow"}, {"request": "tools/list", "within_ms": 20000})");
  fails(slow + R"(60}}}, {"await": "slow", "within_ms": 100})",
        {"a result of tools/call within 100 ms", "no answer in time"});
}

BOOST_FIXTURE_TEST_CASE(messages_of_the_server_are_taken_one_by_one, Scenarios) {
  const std::string call = R"({"request": "tools/call", "params": {"name": "test_tool_with_progress",
      "_meta": {"progressToken": "t-${n}"}}})";
  const std::string numbers = R"({"method": "notifications/progress", "params": {"progressToken": "t-1", "progress": )";
  const auto with = [&](const std::string& steps) {
    folder.file("own.json", R"({"variables": {"n": 1}, "scenarios": [{"id": "it-does", "requires": "progress",
        "steps": [)" + call + ", " +
                                steps + "]}]}");
    return conformance({"--scenarios", (folder / "own.json").string(), "--only", "own", "--revision",
                        "2025-11-25,2026-07-28", "--", TOOLWIRE_BIN_DIR "/everything"});
  };
  const std::string half = R"({"expect_message": )" + numbers + R"(50}}, "keep": {"all": "/params/total"}})";
  const ConformanceRun run = with(half + R"(, {"request": "tools/call", "params": {"name": "echo",
      "arguments": {"message": "of ${all}"}}, "expect": {"result": {"content": [{"text": {"$matches": "of 100"}}]}}},
      {"expect_no_message": )" + numbers +
                                  R"(50}}, "within_ms": 50})");
  BOOST_TEST(run.status == 0, run.out << run.errors);
  const ConformanceRun twice = with(half + ", " + half);
  BOOST_TEST(twice.status == 1);
  BOOST_TEST(twice.says("step 3, expect_message"), twice.out);
  BOOST_TEST(twice.says("none; the last of others: "), twice.out);
  const ConformanceRun none = with(R"({"expect_no_message": )" + numbers + R"(50}}, "within_ms": 50})");
  BOOST_TEST(none.says("no message that matches"), none.out);
}

BOOST_FIXTURE_TEST_CASE(questions_are_answered_as_the_scenario_says, Scenarios) {
  const std::string asks = R"(, {"request": "tools/call", "params": {"name": "confirm_delete",
      "arguments": {"filename": "notes.txt"}}, "expect": {"result": {"content": [{"text": {"$matches": )";
  const std::string connect = R"({"connect": "main", "capabilities": {"elicitation": {"form": {}}}, "answers":
      {"elicitation/create": )";
  holds(connect + R"({"action": "accept", "content": {"confirm": true}}}})" + asks + R"("would be deleted"}}]}}})");
  holds(connect + R"({"action": "decline"}}})" + asks + R"("not deleted|cancelled|kept|declined|Not"}}]}}})");
}

BOOST_FIXTURE_TEST_CASE(each_connection_is_a_server_of_its_own_and_can_be_closed, Scenarios) {
  holds(R"({"connect": "other"}, {"request": "tools/list", "on": "other"}, {"close": "other", "within_ms": 10000},
        {"request": "tools/list"})");
  const std::string deaf = "trap '' TERM; exec 3<&0; " TOOLWIRE_BIN_DIR "/everything <&3; sleep 600";
  const ConformanceRun run =
      conformance({"--scenarios", file(R"({"request": "tools/list"}, {"close": "main", "within_ms": 200})"), "--only",
                   "own", "--revision", "2025-11-25", "--", "/bin/sh", "-c", deaf});
  BOOST_TEST(run.status == 1, run.out);
  BOOST_TEST(run.says("the end of the server within 200 ms after the end of its input"), run.out);
  BOOST_TEST(!left_something(run));
}

BOOST_AUTO_TEST_CASE(the_example_is_that_of_the_readme_and_holds) {
  const std::string example = TOOLWIRE_SOURCE_DIR "/conformance/examples/calculator.json";
  const std::string readme = content_of(TOOLWIRE_SOURCE_DIR "/conformance/README.md");
  BOOST_TEST(readme.find("```json\n" + content_of(example) + "```") != std::string::npos);
  const ConformanceRun run = conformance(
      {"--scenarios", example, "--only", "calculator", "--revision", "2025-11-25", "--", TOOLWIRE_BIN_DIR "/hello"});
  BOOST_TEST(run.status == 0, run.out << run.errors);
}

BOOST_FIXTURE_TEST_CASE(what_is_no_message_may_be_sent_and_is_not_held_against_the_server, Scenarios) {
  holds(R"({"send": "{nonsense"}, {"request": "tools/list"})");
}

BOOST_FIXTURE_TEST_CASE(scenarios_are_listed_explained_and_chosen_like_checks, Scenarios) {
  const std::string own = file(R"({"request": "tools/list"})", R"(, "level": "SHOULD", "why": "they wait")");
  BOOST_TEST(conformance({"--scenarios", own, "--list"}).says("it-does"));
  BOOST_TEST(conformance({"--scenarios", own, "--explain", "it-does"}).says("they wait"));
  BOOST_TEST(conformance({"--scenarios", own, "--explain", "own"}).says("breaking it  WARN"));
  const ConformanceRun quick = conformance(
      {"--scenarios", own, "--quick", "--only", "it-does,ping", "--json", "-", "--", TOOLWIRE_BIN_DIR "/everything"});
  BOOST_TEST(quick.status == 0, quick.out << quick.errors);
  const Json report = quick.json();
  const auto& checks = report.at("checks").as_array();
  BOOST_REQUIRE(!checks.empty());
  BOOST_TEST(checks.at(checks.size() - 1).at("id") == "it-does");
  BOOST_TEST(checks.at(checks.size() - 1).at("section") == Json(own));
}

BOOST_FIXTURE_TEST_CASE(a_file_that_cannot_be_used_ends_the_run_before_anything_is_started, Scenarios) {
  const auto refused = [&](const std::string& text, const std::string& said) {
    const std::string own = folder.file("own.json", text).string();
    const ConformanceRun run = conformance({"--scenarios", own, "--", "/nonexistent/server"});
    BOOST_TEST(run.status == 2);
    BOOST_TEST(run.says(said), run.errors);
    BOOST_TEST(run.says(own), run.errors);
  };
  refused("{", "is no JSON");
  refused(R"({"scenarios": 3})", "/scenarios: expected an array that is not empty, found 3");
  const std::string taken = R"("requires": "it", "steps": [{"request": "ping"}]}]})";
  refused(R"({"scenarios": [{"id": "ping-prompt", )" + taken, "the id \"ping-prompt\" is taken by another check");
  refused(R"({"group": "ping", "scenarios": [{"id": "mine", )" + taken, "the group \"ping\" is one of the suite's");
  refused(R"({"scenarios": [{"id": "mine", "requires": "it", "steps": [{"request": "ping"}]}, {"id": "mine", )" + taken,
          "the id \"mine\" is taken");
}
