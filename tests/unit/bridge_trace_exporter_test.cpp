// Spans on their way to a collector: many at once, in the background, bounded; what is lost is counted and said.
#include "traces/exporter.hpp"

#define BOOST_TEST_MODULE bridge_trace_exporter_test
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <toolwire/json.hpp>

#include "manual_timers.hpp"

using namespace toolwire;
using namespace toolwire::bridge;
using namespace toolwire_test;
using namespace std::chrono_literals;

namespace {

HttpOutcome status(int code, HttpHeaders headers = {}) {
  return HttpResponse{.status = code, .headers = std::move(headers), .body = "{}"};
}

/// A collector that answers when the test says so.
struct Fixture {
  ManualTimers timers;
  std::vector<std::string> bodies;
  std::deque<std::function<void(HttpOutcome&&)>> open;
  std::vector<std::string> said;
  bool stopped = false;
  std::shared_ptr<traces::Exporter> exporter;

  void make(traces::ExporterOptions options = {}) {
    options.log = [this](const std::string& text) { said.push_back(text); };
    exporter = std::make_shared<traces::Exporter>(
        [this](std::string body, const std::stop_token& stop, std::function<void(HttpOutcome &&)> done) {
          bodies.push_back(std::move(body));
          open.push_back(std::move(done));
          stop_ = stop;
        },
        timers, std::move(options));
  }
  void add(int count, const std::string& name = "span") const {
    for (int i = 0; i < count; ++i) exporter->add(traces::Span{.name = name});
  }
  void answer(HttpOutcome outcome) {
    BOOST_REQUIRE(!open.empty());
    auto done = std::move(open.front());
    open.pop_front();
    done(std::move(outcome));
  }
  std::size_t spans_in(std::size_t body) const {
    return parse_json(bodies.at(body)).at("resourceSpans").at(0).at("scopeSpans").at(0).at("spans").as_array().size();
  }
  void count_is(std::uint64_t exported, std::uint64_t lost) const {
    BOOST_TEST(exporter->counts().exported == exported);
    BOOST_TEST(exporter->counts().lost == lost);
  }
  bool is_stopped() const { return stop_.stop_requested(); }

 private:
  std::stop_token stop_;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(spans_are_sent_together_after_a_while, Fixture) {
  make();
  add(3);
  BOOST_TEST(bodies.empty());
  timers.advance(999ms);
  BOOST_TEST(bodies.empty());
  timers.advance(1ms);
  BOOST_REQUIRE(bodies.size() == 1U);
  BOOST_TEST(spans_in(0) == 3U);
  count_is(0, 0);
  answer(status(200));
  count_is(3, 0);
  timers.advance(1h);
  BOOST_TEST(bodies.size() == 1U);  // nothing is sent that is nothing
  BOOST_TEST(timers.waiting() == 0U);
  BOOST_TEST(said.empty());
}

BOOST_FIXTURE_TEST_CASE(a_full_batch_does_not_wait_and_one_is_under_way_at_a_time, Fixture) {
  make({.batch = 10});
  add(25);
  timers.advance(0ms);
  BOOST_REQUIRE(bodies.size() == 1U);
  BOOST_TEST(spans_in(0) == 10U);
  timers.advance(1h);
  BOOST_TEST(bodies.size() == 1U);
  answer(status(200));
  timers.advance(0ms);
  BOOST_REQUIRE(bodies.size() == 2U);
  answer(status(200));
  timers.advance(0ms);
  BOOST_TEST(bodies.size() == 2U);  // five wait for more
  timers.advance(1s);
  BOOST_REQUIRE(bodies.size() == 3U);
  BOOST_TEST(spans_in(2) == 5U);
}

BOOST_FIXTURE_TEST_CASE(a_collector_that_does_not_answer_costs_no_more_than_the_bound, Fixture) {
  make({.most = 100, .batch = 10});
  add(10);
  timers.advance(0ms);
  add(150);  // returns, though nothing is answered
  count_is(0, 50);
  BOOST_REQUIRE(said.size() == 1U);
  BOOST_TEST(said.front().starts_with("traces: spans lost: 1, by now 1: "), said.front());
  timers.advance(60s);
  BOOST_REQUIRE(said.size() == 2U);  // once a minute
  BOOST_TEST(said.back().starts_with("traces: spans lost: 49, by now 50: "), said.back());
  timers.advance(1h);
  BOOST_TEST(said.size() == 2U);
  for (int i = 0; i < 11; ++i) {
    answer(status(200));
    timers.advance(0ms);
  }
  count_is(110, 50);
}

BOOST_FIXTURE_TEST_CASE(what_may_pass_is_tried_again_with_growing_pauses, Fixture) {
  make();
  add(2);
  timers.advance(1s);
  answer(status(503));
  timers.advance(999ms);
  BOOST_TEST(bodies.size() == 1U);
  timers.advance(1ms);
  BOOST_REQUIRE(bodies.size() == 2U);
  BOOST_TEST(bodies[1] == bodies[0]);
  answer(HttpFailure{"unavailable", "http://127.0.0.1:1: refused"});
  timers.advance(2s);
  BOOST_REQUIRE(bodies.size() == 3U);
  answer(status(200));
  count_is(2, 0);
  BOOST_TEST(said.empty());
}

BOOST_FIXTURE_TEST_CASE(the_collector_says_how_long_to_wait_within_a_bound, Fixture) {
  make();
  add(1);
  timers.advance(1s);
  answer(status(429, {{"retry-after", "5"}}));
  timers.advance(4999ms);
  BOOST_TEST(bodies.size() == 1U);
  timers.advance(1ms);
  BOOST_REQUIRE(bodies.size() == 2U);
  answer(status(429, {{"retry-after", "86400"}}));
  timers.advance(30s);
  BOOST_REQUIRE(bodies.size() == 3U);
  answer(status(429, {{"retry-after", "0"}}));  // not at once, again and again
  BOOST_TEST(bodies.size() == 3U);
  timers.advance(1ms);
  BOOST_TEST(bodies.size() == 4U);
}

BOOST_FIXTURE_TEST_CASE(a_batch_is_lost_after_a_minute_and_said_why, Fixture) {
  make();
  add(4);
  timers.advance(1s);
  while (!open.empty()) {
    answer(status(503));
    timers.advance(30s);
  }
  count_is(0, 4);
  BOOST_REQUIRE(said.size() == 1U);
  BOOST_TEST(said.front() == "traces: spans lost: 4, by now 4: the collector answers with status 503");
  add(1);
  timers.advance(1s);
  answer(status(200));
  count_is(1, 4);
}

BOOST_FIXTURE_TEST_CASE(what_will_not_pass_is_lost_at_once, Fixture) {
  make();
  add(4);
  timers.advance(1s);
  answer(status(400));
  BOOST_TEST(open.empty());
  count_is(0, 4);
  add(5);
  timers.advance(1s);
  answer(HttpResponse{.status = 200, .body = R"({"partialSuccess": {"rejectedSpans": "2"}})"});
  count_is(3, 6);
  timers.advance(60s);
  BOOST_TEST(said.size() == 2U);
}

BOOST_FIXTURE_TEST_CASE(the_end_sends_what_there_is, Fixture) {
  make({.batch = 10});
  add(15);
  std::thread collector([this] {
    for (int answered = 0; answered < 2;) {
      timers.advance(0ms);
      if (open.empty()) {
        std::this_thread::sleep_for(1ms);
        continue;
      }
      answer(status(200));
      ++answered;
    }
  });
  exporter->end(1h);
  collector.join();
  count_is(15, 0);
  BOOST_TEST(said.empty());
  BOOST_TEST(is_stopped());
  add(1);
  BOOST_TEST(bodies.size() == 2U);
  count_is(15, 1);
  BOOST_TEST(timers.waiting() == 0U);
}

BOOST_FIXTURE_TEST_CASE(the_end_does_not_wait_for_a_collector_that_is_silent, Fixture) {
  make();
  add(3);
  timers.advance(1s);
  add(2);
  exporter->end(10ms);
  count_is(0, 5);
  BOOST_REQUIRE(said.size() == 1U);
  BOOST_TEST(said.front() == "traces: spans lost: 5, by now 5: the collector has not answered before the end");
  BOOST_TEST(is_stopped());
  answer(status(200));  // too late
  count_is(0, 5);
  exporter->end(1h);
}

BOOST_FIXTURE_TEST_CASE(the_end_says_what_was_not_said_yet, Fixture) {
  make({.most = 1});
  add(4);
  BOOST_TEST(said.size() == 1U);
  exporter->end(0ms);
  BOOST_REQUIRE(said.size() == 2U);
  BOOST_TEST(said.back().starts_with("traces: spans lost: 3, by now 4: "), said.back());
}

BOOST_AUTO_TEST_CASE(many_threads_may_add_while_it_is_sent_and_ended) {
  ManualTimers timers;
  std::mutex mutex;
  std::size_t answered = 0;
  const auto exporter = std::make_shared<traces::Exporter>(
      [&](const std::string&, const std::stop_token&, const std::function<void(HttpOutcome &&)>& done) {
        const std::lock_guard lock(mutex);
        ++answered;
        done(status(200));
      },
      timers, traces::ExporterOptions{.most = 64, .batch = 8});
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int span = 0; span < 1'000; ++span) exporter->add(traces::Span{.name = "span"});
    });
  }
  std::atomic<bool> over{false};
  std::thread clock([&] {
    while (!over) timers.advance(1ms);
  });
  for (auto& thread : threads) thread.join();
  exporter->end(1h);
  over = true;
  clock.join();
  BOOST_TEST(exporter->counts().exported + exporter->counts().lost == 4'000U);
  BOOST_TEST(answered > 0U);
}
