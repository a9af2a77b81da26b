#include "policy/polling.hpp"

#define BOOST_TEST_MODULE bridge_polling_test
#include <boost/test/unit_test.hpp>

#include "activity_bench.hpp"
#include "manual_timers.hpp"
#include "registry/outcome_code.hpp"

using namespace toolwire;
using namespace toolwire::bridge;
using namespace toolwire_test;
using namespace std::chrono_literals;

namespace {

const Json agent = parse_json(R"j({
  "status_polling": {"status_tool": "check_agent_status", "operation_id_field": "run_id",
                     "status_tool_id_param": "run", "poll_interval_seconds": 5, "max_poll_duration_seconds": 60},
  "completion_conditions": {"status_field": "run.status", "success_values": ["completed"],
                            "failure_values": ["failed"], "pending_values": ["pending", "running"],
                            "error_field": "run.error", "result_field": "run.summary"},
  "progress_tracking": {"progress_field": "run.progress.percent", "message_field": "run.progress.currentAction",
                        "phase_field": "run.phase"},
  "cancellation": {"cancel_tool": "stop_agent", "cancel_tool_id_param": "run_id"}})j");

AsyncBehavior behavior(const Json& json = agent) {
  std::vector<std::string> problems;
  auto read = read_async_behavior(json, problems);
  BOOST_TEST_REQUIRE(problems == std::vector<std::string>(), boost::test_tools::per_element());
  return *read;
}

ToolResult run_with(Json run) { return ToolResult::of(JsonObject{{"run", std::move(run)}}); }

struct Fixture {
  ManualTimers timers;
  std::vector<std::string> tools_run;  // name and parameters
  std::vector<ToolResult> statuses;    // answers of the status tool; the last stays
  std::size_t looks = 0;
  std::vector<std::function<void(ToolResult)>> unanswered;
  bool status_answers = true;
  ToolResult first = ToolResult::of(JsonObject{{"run_id", "r-1"}});

  RunTool run_tool = [this](const std::string& tool, const Json& parameters, const std::stop_token&,
                            std::function<void(ToolResult)> done) {
    tools_run.push_back(tool + " " + to_json_text(parameters));
    if (tool != "check_agent_status") return done(ToolResult::text("stopped"));
    const std::size_t look = looks++;
    if (!status_answers) return unanswered.push_back(std::move(done));
    done(statuses.at(std::min(look, statuses.size() - 1)));
  };
  ActivityPointer inner = make_test_activity([this](const Call&, ActivityContext&, Reply reply) { reply(first); });
  ActivityPointer activity(std::chrono::milliseconds first_answer = {}) {
    return polling(inner, behavior(), run_tool, timers, first_answer);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(the_call_ends_with_the_result_of_its_operation, Fixture) {
  statuses = {run_with({{"status", "running"}}), run_with({{"status", "completed"}, {"summary", "All done"}})};
  ActivityBench bench;
  const auto followed = activity();
  bench.start(*followed);
  BOOST_TEST(bench.outcomes.empty());
  timers.advance(5s);
  BOOST_TEST(tools_run.at(0) == R"j(check_agent_status {"run":"r-1"})j");
  BOOST_TEST(bench.outcomes.empty());
  timers.advance(5s);
  BOOST_TEST(bench.text() == "All done");
  BOOST_TEST(!bench.result().is_error);
  BOOST_TEST(timers.waiting() == 0);
}

BOOST_FIXTURE_TEST_CASE(progress_is_what_the_status_says, Fixture) {
  statuses = {run_with(parse_json(
      R"j({"status": "running", "phase": "edit", "progress": {"percent": 40, "currentAction": "writes"}})j"))};
  ActivityBench bench;
  const auto followed = activity();
  bench.start(*followed);
  timers.advance(5s);
  BOOST_TEST(bench.progress == std::vector<std::string>({"0/? started: r-1", "40/100 edit: writes"}),
             boost::test_tools::per_element());
  bench.request_stop();
}

BOOST_FIXTURE_TEST_CASE(a_failed_operation_is_an_error_with_its_own_words, Fixture) {
  statuses = {run_with({{"status", "failed"}, {"error", "out of tokens"}})};
  ActivityBench bench;
  const auto followed = activity();
  bench.start(*followed);
  timers.advance(5s);
  BOOST_TEST(code_of(bench.outcomes.at(0)) == "back_end_error");
  BOOST_TEST(bench.text() == "The operation ended as \"failed\": out of tokens");
}

BOOST_FIXTURE_TEST_CASE(a_status_nobody_named_ends_the_call_and_names_it, Fixture) {
  statuses = {run_with({{"status", "exploded"}})};
  ActivityBench bench;
  const auto followed = activity();
  bench.start(*followed);
  timers.advance(5s);
  BOOST_TEST(bench.text().find("\"exploded\"") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(an_answer_without_an_operation_is_the_result, Fixture) {
  first = ToolResult::text("done at once");
  ActivityBench bench;
  const auto followed = activity();
  bench.start(*followed);
  BOOST_TEST(bench.text() == "done at once");
  BOOST_TEST(timers.waiting() == 0);
}

BOOST_FIXTURE_TEST_CASE(cancelling_the_call_cancels_the_operation, Fixture) {
  statuses = {run_with({{"status", "running"}})};
  ActivityBench bench;
  const auto followed = activity();
  bench.start(*followed);
  timers.advance(5s);
  bench.request_stop();
  BOOST_TEST(bench.outcomes.size() == 1);
  BOOST_TEST(tools_run.size() == 1);  // not on the thread that cancels
  timers.advance(0s);
  BOOST_TEST(tools_run.at(1) == R"j(stop_agent {"run_id":"r-1"})j");
  timers.advance(1h);
  BOOST_TEST(tools_run.size() == 2);
}

BOOST_FIXTURE_TEST_CASE(an_operation_that_begins_after_its_call_was_cancelled_is_cancelled, Fixture) {
  std::optional<Reply> open;
  inner = make_test_activity([&](const Call&, ActivityContext& context, Reply reply) {
    BOOST_TEST(!context.stop_requested());
    open.emplace(std::move(reply));
  });
  ActivityBench bench;
  const auto followed = activity();
  bench.start(*followed);
  bench.request_stop();
  BOOST_TEST(bench.outcomes.empty());  // the first call still uses the context
  (*open)(first);
  timers.advance(0s);
  BOOST_TEST(bench.outcomes.size() == 1);
  BOOST_TEST(tools_run.at(0) == R"j(stop_agent {"run_id":"r-1"})j");
}

BOOST_FIXTURE_TEST_CASE(an_operation_past_its_time_is_cancelled_and_named, Fixture) {
  statuses = {run_with({{"status", "running"}})};
  ActivityBench bench;
  const auto followed = activity();
  bench.start(*followed);
  timers.advance(61s);
  BOOST_TEST(code_of(bench.outcomes.at(0)) == "timeout");
  BOOST_TEST(bench.text().find("r-1") != std::string::npos);
  BOOST_TEST(tools_run.back() == R"j(stop_agent {"run_id":"r-1"})j");
}

BOOST_FIXTURE_TEST_CASE(a_first_answer_that_is_late_is_told_to_stop_and_becomes_a_timeout, Fixture) {
  std::optional<Reply> open;
  std::stop_token told;
  inner = make_test_activity([&](const Call&, ActivityContext& context, Reply reply) {
    told = context.stop_token();
    BOOST_TEST((context.deadline() == timers.now() + 30s));
    open.emplace(std::move(reply));
  });
  ActivityBench bench;
  const auto followed = activity(30s);
  bench.start(*followed);
  timers.advance(30s);
  BOOST_TEST(told.stop_requested());
  (*open)(failure("cancelled", "stopped", false));
  BOOST_TEST(code_of(bench.outcomes.at(0)) == "timeout");
}

BOOST_FIXTURE_TEST_CASE(looks_that_fail_are_repeated_five_in_a_row_end_the_call, Fixture) {
  const ToolResult failed = failure("unavailable", "refused", true);
  const ToolResult running = run_with({{"status", "running"}});
  statuses = {failed, failed, running, failed};
  ActivityBench bench;
  const auto followed = activity();
  bench.start(*followed);
  timers.advance(5s * 7);
  BOOST_TEST(bench.outcomes.empty());
  timers.advance(5s);
  BOOST_TEST(looks == 8);
  BOOST_TEST(code_of(bench.outcomes.at(0)) == "unavailable");
}

BOOST_FIXTURE_TEST_CASE(a_status_tool_that_never_answers_does_not_hang_the_call, Fixture) {
  status_answers = false;
  ActivityBench bench;
  const auto followed = activity();
  bench.start(*followed);
  timers.advance(60s);
  BOOST_TEST(looks >= 2);
  BOOST_TEST(code_of(bench.outcomes.at(0)) == "timeout");
  for (auto& late : unanswered) late(run_with({{"status", "completed"}}));
  BOOST_TEST(bench.outcomes.size() == 1);
}

BOOST_AUTO_TEST_CASE(intervals_grow_as_the_backoff_says) {
  Json slow = agent;
  slow.as_object()["status_polling"].as_object()["backoff"] =
      JsonObject{{"initial_interval_seconds", 2}, {"max_interval_seconds", 5}, {"multiplier", 2}};
  ManualTimers timers;
  std::vector<Timers::Clock::time_point> looks;
  const RunTool run_tool = [&](const std::string& tool, const Json&, const std::stop_token&, const auto& done) {
    if (tool == "check_agent_status") looks.push_back(timers.now());
    done(run_with({{"status", "running"}}));
  };
  const auto inner = make_test_activity([](const Call&, ActivityContext&, Reply reply) {
    reply(ToolResult::of(JsonObject{{"run_id", 7}}));
  });
  ActivityBench bench;
  const auto begin = timers.now();
  const auto followed = polling(inner, behavior(slow), run_tool, timers);
  bench.start(*followed);
  timers.advance(16s);
  BOOST_TEST(looks.size() == 4);
  BOOST_TEST((looks.at(0) - begin == 2s && looks.at(1) - begin == 4s && looks.at(2) - begin == 8s &&
              looks.at(3) - begin == 13s));
  bench.request_stop();
}

BOOST_AUTO_TEST_CASE(what_is_missing_in_async_behavior_is_named_with_its_place) {
  std::vector<std::string> problems;
  BOOST_TEST(!read_async_behavior(parse_json(R"j({"status_polling": {"status_tool": 5}})j"), problems));
  BOOST_TEST(
      problems == std::vector<std::string>({"/status_polling/status_tool: expected a string",
                                            "/status_polling/status_tool: expected the name of a tool",
                                            "/status_polling/operation_id_field: expected a path such as \"run_id\"",
                                            "/completion_conditions/status_field: expected a path such as \"status\"",
                                            "/completion_conditions/success_values: expected at least one value"}),
      boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(members_in_camel_case_are_read_and_zero_counts_as_not_stated) {
  const Json camel = parse_json(R"j({
    "statusPolling": {"statusTool": "s", "operationIdField": "a.b.id", "pollIntervalSeconds": 0},
    "completionConditions": {"statusField": "state", "successValues": ["ok", 2, true]}})j");
  const AsyncBehavior read = behavior(camel);
  BOOST_TEST(read.status_tool_id_param == "id");
  BOOST_TEST((read.interval == 5s));
  BOOST_TEST(read.success_values == std::vector<std::string>({"ok", "2", "true"}), boost::test_tools::per_element());
}
