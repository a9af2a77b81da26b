#include <toolwire/bridge/registry.hpp>

#define BOOST_TEST_MODULE calls of the bridge
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <optional>
#include <stdexcept>
#include <string>

#include "bridge_activities.hpp"

using namespace toolwire;
using namespace toolwire::bridge;
using toolwire_test::HeldActivity;

namespace {

Json number_schema() {
  return parse_json(R"({"type":"object","properties":{"n":{"type":"integer"}},"required":["n"],
                        "additionalProperties":false})");
}

ToolDefinition tool(std::string name) {
  return {.name = std::move(name), .parameters = number_schema(), .output = parse_json(R"({"type":"integer"})")};
}

struct Fixture {
  Registry registry;
  std::shared_ptr<HeldActivity> held = std::make_shared<HeldActivity>();

  Fixture() {
    registry.tool(tool("twice"));
    registry.activities().add("twice", [](const Json& parameters) {
      const std::int64_t n = parameters.at("n").get_int64();
      if (n < 0) throw ToolError("only numbers from 0 on");
      return Json(n == 13 ? Json("unlucky") : Json(2 * n));
    });
    registry.tool(tool("slow"));
    registry.activities().add("slow", held);
  }
  ~Fixture() { held->drop_all(); }  // what nobody has answered: it would hold itself
  static Call call(std::string tool, std::int64_t n) {
    return {.tool = std::move(tool), .parameters = JsonObject{{"n", n}}};
  }
};

std::string code_of(const CompletedCall& call) {
  const Json json = call.to_json();
  return std::string(json.at("error").at("code").get_string());
}

/// Takes one end and gives it back.
struct End {
  std::optional<CompletedCall> call;
  int times = 0;
  Registry::Done done() {
    return [this](CompletedCall ended) {
      call = std::move(ended);
      ++times;
    };
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_call_gives_its_output_or_says_why_not, Fixture) {
  BOOST_TEST(registry.call("twice", {{"n", 21}}).output() == 42);
  BOOST_TEST(registry.call(call("twice", 21)).to_json() ==
             parse_json(R"({"call":{"_tool":"twice","_activity":"","n":21},"output":42})"));
  BOOST_TEST(code_of(registry.call("nothing", JsonObject{})) == "unknown_tool");
  BOOST_TEST(code_of(registry.call("twice", {{"n", "21"}})) == "invalid_arguments");
  BOOST_TEST(code_of(registry.call("twice", JsonArray{})) == "invalid_arguments");
  BOOST_TEST(registry.call("twice", {{"n", -1}}).error() == "only numbers from 0 on");
  BOOST_TEST(code_of(registry.call("twice", {{"n", 13}})) == "invalid_output");
  registry.enable("twice", false);
  BOOST_TEST(code_of(registry.call("twice", {{"n", 1}})) == "disabled");
}

BOOST_FIXTURE_TEST_CASE(an_activity_that_is_not_there_fails_the_call_and_is_reported_at_start, Fixture) {
  ToolDefinition dangling = tool("mail");
  dangling.activity = "smtp";
  registry.tool(dangling);
  BOOST_TEST(code_of(registry.call("mail", {{"n", 1}})) == "activity_missing");
  BOOST_REQUIRE(registry.diagnostics().size() == 1u);
  BOOST_TEST(registry.diagnostics().front().find("\"smtp\" is not registered") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_latent_tool_without_an_output_is_not_offered, Fixture) {
  registry.tool(ToolDefinition{.name = "think"});
  BOOST_TEST(!registry.is_offered(*registry.tools().find("think")));
  BOOST_TEST(registry.compose().at("properties").at("calls").at("items").at("anyOf").get_array().size() == 2u);
  BOOST_REQUIRE(registry.diagnostics().size() == 1u);
  BOOST_TEST(registry.diagnostics().front().find("it is not offered") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_call_in_flight_keeps_the_activity_it_began_with, Fixture) {
  End end;
  registry.start(call("slow", 1), end.done());
  registry.activities().add("slow", [](const Json&) { return Json(7); });
  BOOST_TEST(registry.call(call("slow", 1)).output() == 7);
  BOOST_TEST(!end.call);
  held->answer(0, Json(3));
  BOOST_TEST(end.call->output() == 3);
}

BOOST_FIXTURE_TEST_CASE(calls_may_outlive_their_registry, Fixture) {
  End end;
  {
    Registry brief;
    brief.tool(tool("slow"));
    brief.activities().add("slow", held);
    brief.start(call("slow", 1), end.done());
  }
  held->answer(0, Json(3));
  BOOST_TEST(end.call->output() == 3);
}

BOOST_FIXTURE_TEST_CASE(a_dropped_call_has_an_end_too, Fixture) {
  End end;
  registry.start(call("slow", 1), end.done());
  held->drop(0);
  BOOST_TEST(code_of(*end.call) == "dropped");
}

BOOST_FIXTURE_TEST_CASE(a_thousand_calls_wait_on_no_thread, Fixture) {
  std::atomic<int> ended{0};
  for (int i = 0; i < 1000; ++i) registry.start(call("slow", i), [&](const CompletedCall&) { ++ended; });
  BOOST_TEST(held->started() == 1000u);
  BOOST_TEST(ended == 0);
  for (std::size_t i = 0; i < 1000; ++i) held->answer(i, Json(1));
  BOOST_TEST(ended == 1000);
}

BOOST_FIXTURE_TEST_CASE(a_cancelled_call_is_told_to_stop_and_ends_at_once, Fixture) {
  End end;
  std::stop_source stop;
  registry.start(call("slow", 1), end.done(), {.stop = stop.get_token()});
  stop.request_stop();
  BOOST_TEST(code_of(*end.call) == "cancelled");
  BOOST_TEST(held->stop_requested(0));
  held->answer(0, Json(3));
  BOOST_TEST(end.times == 1);
}

BOOST_AUTO_TEST_CASE(a_call_past_its_deadline_is_told_to_stop) {
  Registry registry;
  ToolDefinition late = tool("late");
  late.metadata.timeout_seconds = 1;
  registry.tool(late);
  auto held = std::make_shared<HeldActivity>();
  registry.activities().add("late", held);
  const CompletedCall end = registry.call("late", {{"n", 1}});
  BOOST_TEST(code_of(end) == "timeout");
  BOOST_TEST(end.error() == "\"late\" timed out after 1 s");
  held->drop(0);
}

BOOST_FIXTURE_TEST_CASE(an_activity_that_asks_has_nobody_to_ask, Fixture) {
  registry.activities().add("twice", [](const Json&, ActivityContext&) -> Outcome<Json> {
    return Questions{{Question{"sure", "elicitation/create", JsonObject{}}}};
  });
  BOOST_TEST(code_of(registry.call(call("twice", 1))) == "cannot_ask");
}

BOOST_FIXTURE_TEST_CASE(all_calls_succeed_or_the_first_failure_stops_the_others, Fixture) {
  CompletedCalls good = registry.call_all({call("twice", 1), call("twice", 2)});
  BOOST_TEST(!good.failure);
  BOOST_TEST(good.calls[0].output() == 2);
  BOOST_TEST(good.calls[1].output() == 4);

  std::optional<CompletedCalls> ends;
  registry.start_all({call("slow", 1), call("slow", 2), call("twice", 1)},
                     [&](CompletedCalls all) { ends = std::move(all); });
  BOOST_TEST(!ends);
  held->answer(1, ToolResult::error("no"));
  BOOST_REQUIRE(ends);
  BOOST_TEST(*ends->failure == 1u);
  BOOST_TEST(code_of(ends->calls[0]) == "cancelled");
  BOOST_TEST(held->stop_requested(0));
  BOOST_TEST(ends->calls[2].output() == 2);
}

BOOST_FIXTURE_TEST_CASE(nothing_starts_if_one_of_all_calls_is_wrong, Fixture) {
  const CompletedCalls ends = registry.call_all({call("slow", 1), {.tool = "slow", .parameters = JsonObject{}}});
  BOOST_TEST(*ends.failure == 1u);
  BOOST_TEST(held->started() == 0u);
  BOOST_TEST(code_of(ends.calls[0]) == "cancelled");
  BOOST_TEST(!registry.call_all({}).failure);
}

BOOST_FIXTURE_TEST_CASE(any_takes_the_first_success_and_cancels_the_rest, Fixture) {
  End end;
  registry.start_any({call("slow", 1), call("slow", 2), call("slow", 3)}, end.done());
  held->answer(0, ToolResult::error("no"));
  BOOST_TEST(!end.call);
  held->answer(2, Json(9));
  BOOST_TEST(end.call->output() == 9);
  BOOST_TEST(held->stop_requested(1));
  BOOST_TEST(registry.call_any({call("twice", -1), call("twice", -2)}).error() == "only numbers from 0 on");
  BOOST_CHECK_THROW(registry.call_any({}), std::invalid_argument);
}

BOOST_FIXTURE_TEST_CASE(a_race_is_won_by_the_first_end_of_any_kind, Fixture) {
  End end;
  registry.start_race({call("slow", 1), call("slow", 2)}, end.done());
  held->answer(1, ToolResult::error("no"));
  BOOST_TEST(end.call->error() == "no");
  BOOST_TEST(held->stop_requested(0));
  BOOST_TEST(registry.call_race({call("twice", 4), call("slow", 1)}).output() == 8);
  BOOST_TEST(held->started() == 2u);
  BOOST_CHECK_THROW(registry.call_race({}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_call_whose_reply_is_kept_keeps_nothing_of_its_registry) {
  const auto held = std::make_shared<HeldActivity>();
  std::weak_ptr<Activity> other;
  std::optional<CompletedCalls> ends;
  End end;
  {
    Registry registry;
    registry.tool(tool("slow"));
    registry.activities().add("slow", held);
    registry.tool(tool("other"));
    const auto another = std::make_shared<HeldActivity>();
    registry.activities().add("other", another);
    other = another;
    registry.start_race({Fixture::call("slow", 1), Fixture::call("slow", 2)}, end.done());
    registry.start_all({Fixture::call("slow", 3)}, [&](CompletedCalls all) { ends = std::move(all); });
    held->answer(1, Json(1));
  }
  BOOST_TEST(held->stop_requested(0));
  BOOST_TEST(other.expired());
  held->answer(2, Json(2));  // under way when the registry went
  BOOST_TEST(ends->calls[0].output() == 2);
  held->drop_all();
}

BOOST_FIXTURE_TEST_CASE(a_filled_document_runs_as_a_whole, Fixture) {
  ToolDefinition mood{.name = "mood", .output = parse_json(R"({"type":"string"})")};
  registry.tool(mood);
  const Json results = registry.run(parse_json(R"({"calls":[
      {"_tool":"twice","_activity":"twice","_reasoningForCall":"why not","_output":null,"n":4},
      {"_tool":"mood","_activity":"","_output":"good"},
      {"_tool":"mood","_activity":"","_output":7},
      {"_tool":"mood","_activity":""},
      {"_tool":"twice","_activity":"","n":4},
      {"_tool":"twice","n":4},
      {"_tool":"twice","_activity":"twice","n":"4"},
      {"_tool":"gone","_activity":""},
      7,
      {"_tool":"twice","_activity":"twice","_scopes":[],"n":5}]})"));
  std::string codes;
  for (const Json& result : results.at("results").get_array()) {
    const JsonObject& one = result.get_object();
    BOOST_TEST(one.contains("call"));
    codes.append(codes.empty() ? "" : " ");
    codes +=
        one.contains("error") ? std::string(one.at("error").at("code").get_string()) : to_json_text(one.at("output"));
  }
  BOOST_TEST(codes ==
             "8 \"good\" latent_output_missing latent_output_missing invalid_arguments invalid_arguments "
             "invalid_arguments unknown_tool invalid_arguments invalid_arguments");
  BOOST_TEST(results.at("results").at(4).at("error").at("message").get_string() == "_activity: expected \"twice\"");
  BOOST_TEST(results.at("results").at(9).at("error").at("message").get_string() ==
             "unsupported meta field \"_scopes\"");
  BOOST_CHECK_THROW(registry.run(JsonArray{}), std::invalid_argument);
  BOOST_TEST(registry.run({{"calls", JsonArray{}}}) == parse_json(R"({"results":[]})"));
}
