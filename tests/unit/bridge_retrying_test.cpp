#include "policy/retrying.hpp"

#define BOOST_TEST_MODULE bridge_retrying_test
#include <boost/test/unit_test.hpp>

#include <stdexcept>

#include "activity_bench.hpp"
#include "manual_timers.hpp"
#include "registry/outcome_code.hpp"

using namespace toolwire;
using namespace toolwire::bridge;
using namespace toolwire_test;
using namespace std::chrono_literals;

namespace {

ToolResult unavailable(std::optional<std::int64_t> retry_after_ms = {}) {
  return failure("unavailable", "refused", true, retry_after_ms);
}

/// Answers what the test has laid ready, the last again and again.
struct BackEnd {
  ActivityPointer activity() {
    return make_test_activity([this](const Call&, ActivityContext&, Reply reply) {
      const std::size_t call = calls++;
      reply(answers.at(std::min(call, answers.size() - 1)));
    });
  }
  std::vector<ToolResult> answers;
  std::size_t calls = 0;
};

struct Fixture {
  ManualTimers timers;
  BackEnd back_end;
  std::vector<std::string> retried;
  RetrySettings settings{.further_attempts = 3,
                         .first_pause = 100ms,
                         .max_pause = 300ms,
                         .jitter = [] { return 1.0; },
                         .on_retry = [this](const std::string& tool) { retried.push_back(tool); }};
  ActivityPointer activity() { return retrying(back_end.activity(), timers, settings); }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_connection_that_failed_is_tried_again, Fixture) {
  back_end.answers = {unavailable(), unavailable(), ToolResult::text("done")};
  ActivityBench bench;
  const auto tried = activity();
  bench.start(*tried);
  BOOST_TEST(back_end.calls == 1);
  BOOST_TEST(bench.outcomes.empty());
  timers.advance(99ms);
  BOOST_TEST(back_end.calls == 1);
  timers.advance(1ms);
  BOOST_TEST(back_end.calls == 2);
  timers.advance(200ms);
  BOOST_TEST(back_end.calls == 3);
  BOOST_TEST(bench.text() == "done");
  BOOST_TEST(retried == std::vector<std::string>({"work", "work"}), boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(every_other_failure_is_final, Fixture) {
  for (const ToolResult& failed : {failure("back_end_error", "500", true), failure("timeout", "late", true),
                                   failure("busy", "full", true), ToolResult::error("no")}) {
    back_end = {.answers = {failed}};
    ActivityBench bench;
    const auto tried = activity();
    bench.start(*tried);
    BOOST_TEST(back_end.calls == 1);
    BOOST_TEST(bench.outcomes.size() == 1);
    BOOST_TEST(timers.waiting() == 0);
  }
}

BOOST_FIXTURE_TEST_CASE(after_the_last_attempt_the_failure_is_told, Fixture) {
  back_end.answers = {unavailable()};
  ActivityBench bench;
  const auto tried = activity();
  bench.start(*tried);
  timers.advance(1h);
  BOOST_TEST(back_end.calls == 4);
  BOOST_TEST(code_of(bench.outcomes.at(0)) == "unavailable");
}

BOOST_FIXTURE_TEST_CASE(pauses_grow_to_the_longest_and_only_half_of_one_is_left_to_chance, Fixture) {
  settings.jitter = [] { return 0.0; };
  back_end.answers = {unavailable()};
  ActivityBench bench;
  const auto tried = activity();
  bench.start(*tried);
  for (const auto& [pause, calls] : {std::pair{50ms, 2u}, std::pair{100ms, 3u}, std::pair{150ms, 4u}}) {
    timers.advance(pause - 1ms);
    BOOST_TEST(back_end.calls == calls - 1);
    timers.advance(1ms);
    BOOST_TEST(back_end.calls == calls);
  }
}

BOOST_FIXTURE_TEST_CASE(a_back_end_that_says_when_is_not_asked_earlier, Fixture) {
  back_end.answers = {unavailable(2000), ToolResult::text("done")};
  ActivityBench bench;
  const auto tried = activity();
  bench.start(*tried);
  timers.advance(1999ms);
  BOOST_TEST(back_end.calls == 1);
  timers.advance(1ms);
  BOOST_TEST(bench.text() == "done");
}

BOOST_FIXTURE_TEST_CASE(no_attempt_is_begun_that_the_deadline_would_end, Fixture) {
  back_end.answers = {unavailable()};
  ActivityBench bench(timers.now() + 250ms);
  const auto tried = activity();
  bench.start(*tried);
  timers.advance(100ms);
  BOOST_TEST(back_end.calls == 2);
  BOOST_TEST(bench.outcomes.size() == 1);  // the next would begin at 300 ms
  BOOST_TEST(timers.waiting() == 0);
}

BOOST_FIXTURE_TEST_CASE(a_cancelled_call_does_not_wait_and_is_not_tried_again, Fixture) {
  back_end.answers = {unavailable()};
  ActivityBench bench;
  const auto tried = activity();
  bench.start(*tried);
  bench.request_stop();
  BOOST_TEST(bench.outcomes.size() == 1);
  BOOST_TEST(timers.waiting() == 0);
  timers.advance(1h);
  BOOST_TEST(back_end.calls == 1);
}

BOOST_FIXTURE_TEST_CASE(a_call_cancelled_during_an_attempt_ends_with_it, Fixture) {
  std::optional<Reply> open;
  const auto tried =
      retrying(make_test_activity([&](const Call&, ActivityContext&, Reply reply) { open.emplace(std::move(reply)); }),
               timers, settings);
  ActivityBench bench;
  bench.start(*tried);
  bench.request_stop();
  BOOST_TEST(bench.outcomes.empty());  // the attempt still uses the call
  (*open)(unavailable());
  BOOST_TEST(bench.outcomes.size() == 1);
  BOOST_TEST(timers.waiting() == 0);
}

BOOST_FIXTURE_TEST_CASE(what_a_later_attempt_throws_becomes_an_error_result, Fixture) {
  int calls = 0;
  const auto tried = retrying(make_test_activity([&](const Call&, ActivityContext&, Reply reply) {
                                if (++calls > 1) throw ToolError("broken");
                                reply(unavailable());
                              }),
                              timers, settings);
  ActivityBench bench;
  bench.start(*tried);
  timers.advance(100ms);
  BOOST_TEST(bench.outcomes.size() == 1);
  BOOST_TEST(bench.result().is_error);
  BOOST_TEST(bench.text() == "broken");
}

BOOST_FIXTURE_TEST_CASE(what_the_first_attempt_throws_is_the_callers, Fixture) {
  const auto tried =
      retrying(make_test_activity([](const Call&, ActivityContext&, Reply) { throw std::runtime_error("x"); }), timers,
               settings);
  ActivityBench bench;
  BOOST_CHECK_THROW(bench.start(*tried), std::runtime_error);
  BOOST_TEST(bench.outcomes.empty());
}
