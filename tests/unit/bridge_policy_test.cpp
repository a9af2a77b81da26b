#include <toolwire/bridge/policy.hpp>

#define BOOST_TEST_MODULE where policy stands in a call
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <toolwire/bridge/registry.hpp>
#include <toolwire/log.hpp>

#include "bridge_activities.hpp"
#include "comes_true.hpp"

using namespace toolwire;
using namespace toolwire::bridge;
using toolwire_test::comes_true;
using toolwire_test::HeldActivity;

namespace {

ToolDefinition tool() {
  return {.name = "twice",
          .parameters = parse_json(R"({"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]})"),
          .output = parse_json(R"({"type":"integer"})")};
}

struct DecidingApproval : Approval {
  std::function<Decision(CallInHand&)> how;
  Decision decide(CallInHand& call) override { return how(call); }
};

struct RecordingObserver : Observer {
  std::vector<std::string> ends;
  void ended(const CallInHand& call, const CallEnd& end) override {
    ends.push_back(call.call.tool + " " + std::string(end.code) + (call.decision.empty() ? "" : " " + call.decision));
  }
};

/// While it is told of an end, waits a moment for an answer that must not come meanwhile.
struct WaitingObserver : Observer {
  std::promise<void> begun, answered;
  bool met_the_answer = false;
  void ended(const CallInHand&, const CallEnd&) override {
    begun.set_value();
    met_the_answer = answered.get_future().wait_for(std::chrono::milliseconds(50)) == std::future_status::ready;
  }
};

struct Fixture {
  Registry registry;
  int runs = 0;
  ToolDefinition definition = tool();

  void add() {
    registry.tool(definition);
    registry.activities().add("twice", [this](const Json& parameters) {
      ++runs;
      return Json(2 * parameters.at("n").get_int64());
    });
  }
  CompletedCall run(std::int64_t n = 1) { return registry.call("twice", {{"n", n}}); }
  std::string code(std::int64_t n = 1) {
    const Json json = run(n).to_json();
    return json.get_object().contains("error") ? std::string(json.at("error").at("code").get_string()) : "ok";
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_confirmation_lets_a_call_pass_or_refuses_it, Fixture) {
  add();
  registry.confirm_with([](CallInHand& call) -> Decision {
    if (call.call.parameters.at("n") == 1) return GoOn{};
    return Refuse{failure("denied", "not this one", false)};
  });
  BOOST_TEST(run(1).output() == 2);
  BOOST_TEST(run(2).error() == "not this one");
  BOOST_TEST(runs == 1);
}

BOOST_FIXTURE_TEST_CASE(modified_parameters_are_checked_like_the_callers, Fixture) {
  add();
  registry.confirm_with([](CallInHand&) -> Decision { return Modify{JsonObject{{"n", 50}}}; });
  BOOST_TEST(run(1).output() == 100);
  registry.confirm_with([](CallInHand&) -> Decision { return Modify{JsonObject{{"n", "50"}}}; });
  BOOST_TEST(code() == "invalid_arguments");
}

BOOST_FIXTURE_TEST_CASE(a_replaced_output_is_checked_like_the_activitys, Fixture) {
  add();
  registry.confirm_with([](CallInHand&) -> Decision { return Replace{7}; });
  BOOST_TEST(run().output() == 7);
  registry.confirm_with([](CallInHand&) -> Decision { return Replace{"seven"}; });
  BOOST_TEST(code() == "invalid_output");
  BOOST_TEST(runs == 0);
}

BOOST_FIXTURE_TEST_CASE(a_confirmation_that_throws_refuses_the_call, Fixture) {
  add();
  registry.confirm_with([](CallInHand&) -> Decision { throw ToolError("the console is closed"); });
  BOOST_TEST(run().error() == "the console is closed");
  BOOST_TEST(runs == 0);
}

BOOST_FIXTURE_TEST_CASE(a_tool_that_needs_approval_is_refused_where_nobody_gives_it, Fixture) {
  definition.metadata.requires_approval = true;
  add();
  BOOST_TEST(code() == "approval_required");
  auto approval = std::make_shared<DecidingApproval>();
  registry.approve_with(approval);
  approval->how = [](CallInHand&) -> Decision {
    return Questions{{Question{std::string(Approval::key), "elicitation/create", JsonObject{}}}};
  };
  BOOST_TEST(code() == "approval_required");
  approval->how = [](CallInHand&) -> Decision { return GoOn{}; };
  BOOST_TEST(code() == "ok");
  BOOST_TEST(runs == 1);
}

BOOST_FIXTURE_TEST_CASE(the_eleventh_call_in_a_minute_is_refused_before_anybody_is_asked, Fixture) {
  definition.metadata.rate_limit_per_minute = 10;
  add();
  int asked = 0;
  auto approval = std::make_shared<DecidingApproval>();
  approval->how = [&](CallInHand&) -> Decision {
    ++asked;
    return asked == 1 ? Decision(Refuse{failure("denied", "no", false)}) : Decision(GoOn{});
  };
  registry.approve_with(approval);
  BOOST_TEST(code() == "denied");  // not charged
  for (int i = 0; i < 10; ++i) BOOST_TEST(code() == "ok");
  const CompletedCall refused = run();
  const Json error = refused.result.meta.at("dev.toolwire/error");
  BOOST_TEST(error.at("code").get_string() == "rate_limited");
  BOOST_TEST(error.at("retryAfterMs").to_number<int>() > 0);
  BOOST_TEST(error.at("retryAfterMs").to_number<int>() <= 60'000);
  BOOST_TEST(asked == 11);
  BOOST_TEST(runs == 10);
}

BOOST_FIXTURE_TEST_CASE(arguments_that_do_not_fit_cost_nothing, Fixture) {
  definition.metadata.rate_limit_per_minute = 1;
  add();
  BOOST_TEST(registry.call("twice", JsonObject{}).failed());
  BOOST_TEST(code() == "ok");
  BOOST_TEST(code() == "rate_limited");
}

BOOST_FIXTURE_TEST_CASE(a_decorator_is_asked_once_for_each_tool_and_activity, Fixture) {
  add();
  int decorated = 0;
  registry.decorate_with([&](const ToolDefinition&, const ActivityPointer& inner) {
    ++decorated;
    return make_activity([inner, &decorated](const Json&, const Call&, ActivityContext&) -> Outcome<Json> {
      return Json(1000 + decorated);
    });
  });
  BOOST_TEST(run().output() == 1001);
  BOOST_TEST(run().output() == 1001);
  registry.activities().add("other", [](const Json&) { return Json(1); });
  BOOST_TEST(run().output() == 1001);
  registry.activities().add("twice", [](const Json&) { return Json(1); });
  BOOST_TEST(run().output() == 1002);
  registry.decorate_with(nullptr);
  BOOST_TEST(run().output() == 1);
}

BOOST_FIXTURE_TEST_CASE(observers_hear_of_every_end_once, Fixture) {
  add();
  auto observer = std::make_shared<RecordingObserver>();
  registry.observe_with(observer);
  auto held = std::make_shared<HeldActivity>();
  auto approval = std::make_shared<DecidingApproval>();
  approval->how = [](CallInHand& call) -> Decision {
    call.decision = "by rule";
    return GoOn{};
  };
  run();
  run();
  registry.call("twice", {{"n", "x"}});
  registry.approve_with(approval);
  registry.activities().add("twice", held);
  std::stop_source stop;
  registry.start({.tool = "twice", .parameters = {{"n", 1}}}, [](const CompletedCall&) {}, {.stop = stop.get_token()});
  stop.request_stop();
  held->answer(0, Json(1));
  registry.start({.tool = "twice", .parameters = {{"n", 1}}}, [](const CompletedCall&) {});
  held->answer(1, Json("x"));
  BOOST_TEST(observer->ends == (std::vector<std::string>{"twice ok", "twice ok", "twice invalid_arguments",
                                                         "twice cancelled by rule", "twice invalid_output by rule"}),
             boost::test_tools::per_element());
}

namespace {

/// Keeps what it is asked, until it is told to answer; then it does as the store in memory.
struct LateRates final : RateStore {
  std::shared_ptr<RateStore> store = memory_rate_store();
  std::vector<std::function<void()>> waiting;
  void look(const std::string& key, std::int64_t per_minute, Done<Wait> done) override {
    auto later = std::make_shared<Done<Wait>>(std::move(done));
    waiting.emplace_back([this, key, per_minute, later] { store->look(key, per_minute, std::move(*later)); });
  }
  void charge(const std::string& key, std::int64_t per_minute, Done<Wait> done) override {
    auto later = std::make_shared<Done<Wait>>(std::move(done));
    waiting.emplace_back([this, key, per_minute, later] { store->charge(key, per_minute, std::move(*later)); });
  }
  /// Returns how often it was asked.
  int answer() {
    int count = 0;
    for (; !waiting.empty(); ++count) {
      const auto now = std::exchange(waiting, {});
      for (const auto& one : now) one();
    }
    return count;
  }
};

/// A registry whose calls of `twice` are counted by a late store, one a minute.
struct LateFixture {
  std::shared_ptr<LateRates> rates = std::make_shared<LateRates>();
  std::vector<std::string> results;
  int runs = 0;
  std::stop_source stop;
  Registry registry{{.rates = rates}};

  LateFixture() {
    ToolDefinition definition = tool();
    definition.metadata.rate_limit_per_minute = 1;
    registry.tool(definition);
    registry.activities().add("twice", [this](const Json&) { return ++runs, Json(2); });
  }
  void start() {
    registry.start(Call{.tool = "twice", .parameters = JsonObject{{"n", 1}}},
                   [this](const CompletedCall& call) {
                     const Json json = call.to_json();
                     results.push_back(json.get_object().contains("error")
                                           ? std::string(json.at("error").at("code").get_string())
                                           : "ok");
                   },
                   {.stop = stop.get_token()});
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_rate_that_is_known_later_holds_a_call_back_until_then, LateFixture) {
  start();
  BOOST_TEST(results.empty());
  BOOST_TEST(rates->answer() == 2);  // looked at and charged, each once
  BOOST_TEST(results == std::vector<std::string>{"ok"}, boost::test_tools::per_element());
  start();
  rates->answer();
  BOOST_TEST(results.back() == "rate_limited");
  BOOST_TEST(runs == 1);
}

BOOST_FIXTURE_TEST_CASE(a_call_that_was_cancelled_meanwhile_has_no_effect, LateFixture) {
  start();
  stop.request_stop();
  rates->answer();
  BOOST_TEST(results == std::vector<std::string>{"cancelled"}, boost::test_tools::per_element());
  BOOST_TEST(runs == 0);
}

BOOST_FIXTURE_TEST_CASE(a_rate_that_cannot_be_known_ends_each_call_and_is_not_logged_with_each, LateFixture) {
  std::atomic<int> lines{0};
  set_log_sink([&](const LogEntry& entry) { lines += entry.text.find("cannot be looked up") != std::string::npos; });
  for (int i = 0; i < 50; ++i) {
    start();
    rates->waiting.clear();
  }
  BOOST_TEST(results == std::vector<std::string>(50, "unavailable"), boost::test_tools::per_element());
  BOOST_TEST(runs == 0);
  BOOST_TEST(comes_true([&] { return lines > 0; }));
  set_log_sink({});
  BOOST_TEST(lines < 5);
}

// What the observers look at belongs to the request, which may go with its answer.
BOOST_AUTO_TEST_CASE(an_answer_waits_for_those_who_are_being_told_that_the_call_was_stopped) {
  Registry registry;
  registry.tool(tool());
  const auto held = std::make_shared<HeldActivity>();
  registry.activities().add("twice", held);
  const auto observer = std::make_shared<WaitingObserver>();
  registry.observe_with(observer);
  const JsonObject nothing;
  std::stop_source stop;
  Context context(stop.get_token(), nothing, nothing);
  registry.serve(registry.tools().find("twice"), JsonObject{{"n", 1}}, context,
                 Reply([&](AnyOutcome&&) { observer->answered.set_value(); }));
  std::thread stopping([&] { stop.request_stop(); });
  observer->begun.get_future().wait();
  held->answer(0, Json(2));
  stopping.join();
  BOOST_TEST(!observer->met_the_answer);
}

BOOST_AUTO_TEST_CASE(an_error_of_the_protocol_stays_one_whenever_the_rate_is_known) {
  for (const bool late : {false, true}) {
    const auto rates = std::make_shared<LateRates>();
    Registry registry{{.rates = late ? std::shared_ptr<RateStore>(rates) : memory_rate_store()}};
    ToolDefinition definition = tool();
    definition.metadata.rate_limit_per_minute = 5;
    registry.tool(definition);
    registry.activities().add("twice", [](const Json&) -> Json { throw ProtocolError(-32050, "not over there"); });
    const auto observer = std::make_shared<RecordingObserver>();
    registry.observe_with(observer);
    const JsonObject nothing;
    Context context({}, nothing, nothing);
    std::vector<std::string> answers;
    Reply reply([&](AnyOutcome&& outcome) {
      const auto* const error = std::get_if<ProtocolError>(&outcome);
      answers.push_back(error != nullptr ? std::to_string(error->code) + " " + error->what() : "no such error");
    });
    registry.serve(registry.tools().find("twice"), JsonObject{{"n", 1}}, context, std::move(reply));
    BOOST_TEST(answers.empty() == late);
    rates->answer();
    BOOST_TEST(answers == std::vector<std::string>{"-32050 not over there"}, boost::test_tools::per_element());
    BOOST_TEST(observer->ends == std::vector<std::string>{"twice protocol_error"}, boost::test_tools::per_element());
    registry.start(Call{.tool = "twice", .parameters = JsonObject{{"n", 1}}}, [&](const CompletedCall& call) {
      answers.emplace_back(call.to_json().at("error").at("code").get_string());
    });
    rates->answer();
    BOOST_TEST(answers.back() == "back_end_error");
  }
}

BOOST_AUTO_TEST_CASE(a_call_goes_on_where_the_program_wants_it) {
  const auto rates = std::make_shared<LateRates>();
  std::vector<std::function<void()>> work;
  Registry registry{{.rates = rates, .executor = [&](std::function<void()> one) { work.push_back(std::move(one)); }}};
  ToolDefinition definition = tool();
  definition.metadata.rate_limit_per_minute = 5;
  registry.tool(definition);
  registry.activities().add("twice", [](const Json&) { return Json(2); });
  bool done = false;
  registry.start(Call{.tool = "twice", .parameters = JsonObject{{"n", 1}}}, [&](const CompletedCall&) { done = true; });
  while (!work.empty() || !rates->waiting.empty()) {
    rates->answer();
    BOOST_TEST(!done);
    for (const auto& one : std::exchange(work, {})) one();
  }
  BOOST_TEST(done);
}
