#include <toolwire/detail/call_clock.hpp>

#define BOOST_TEST_MODULE call_clock_test
#include <boost/test/unit_test.hpp>

#include <functional>
#include <map>
#include <memory>
#include <thread>
#include <vector>

using namespace std::chrono_literals;
using toolwire::detail::CallClock;

namespace {

/// Timers whose clock the test moves.
struct Timers {
  using Handle = std::pair<CallClock::Clock::time_point, std::uint64_t>;

  Handle at(CallClock::Clock::time_point when, std::function<void()> what) {
    const Handle handle{when, ++serial};
    due.emplace(handle, std::move(what));
    return handle;
  }
  void forget(const Handle& handle) { due.erase(handle); }
  CallClock::Clock::time_point now() const { return time; }

  void advance(CallClock::Clock::duration by) {
    time += by;
    while (!due.empty() && due.begin()->first.first <= time) {
      const auto node = due.extract(due.begin());
      node.mapped()();
    }
  }

  CallClock::Clock::time_point time{100h};
  std::uint64_t serial = 0;
  std::map<Handle, std::function<void()>> due;
};

/// A call that ends when its time is over.
struct Call : std::enable_shared_from_this<Call> {
  explicit Call(Timers& of) : timers(of) {}
  void start(CallClock::Clock::duration limit) { clock.start(timers, limit, weak_from_this()); }
  void timed_out() { times_out += clock.end(timers) ? 1 : 0; }

  Timers& timers;
  CallClock clock;
  int times_out = 0;
};

struct Fixture {
  Timers timers;
  std::shared_ptr<Call> call = std::make_shared<Call>(timers);
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_call_times_out_once_when_its_time_is_over, Fixture) {
  call->start(3s);
  timers.advance(2999ms);
  BOOST_TEST(call->times_out == 0);
  timers.advance(1ms);
  BOOST_TEST(call->times_out == 1);
  BOOST_TEST(call->clock.is_over());
  timers.advance(1h);
  BOOST_TEST(call->times_out == 1);
}

BOOST_FIXTURE_TEST_CASE(without_a_limit_no_timer_is_set, Fixture) {
  call->start(0s);
  BOOST_TEST(timers.due.empty());
  BOOST_TEST(call->clock.end(timers));
}

BOOST_FIXTURE_TEST_CASE(while_it_is_paused_no_time_passes, Fixture) {
  call->start(3s);
  timers.advance(1s);
  call->clock.pause(timers);
  BOOST_TEST(timers.due.empty());
  timers.advance(1h);
  call->clock.pause(timers);  // changes nothing
  call->start(3s);
  timers.advance(1999ms);
  BOOST_TEST(call->times_out == 0);
  timers.advance(1ms);
  BOOST_TEST(call->times_out == 1);
}

BOOST_FIXTURE_TEST_CASE(a_clock_that_runs_is_not_started_anew, Fixture) {
  call->start(3s);
  timers.advance(2s);
  call->start(3s);
  BOOST_TEST(timers.due.size() == 1u);
  timers.advance(1s);
  BOOST_TEST(call->times_out == 1);
}

BOOST_FIXTURE_TEST_CASE(a_call_that_ended_leaves_no_timer_and_starts_none, Fixture) {
  call->start(3s);
  BOOST_TEST(call->clock.end(timers));
  BOOST_TEST(timers.due.empty());
  BOOST_TEST(!call->clock.end(timers));
  call->start(3s);
  BOOST_TEST(timers.due.empty());
  const auto ended_first = std::make_shared<Call>(timers);
  ended_first->clock.end(timers);
  ended_first->start(3s);
  BOOST_TEST(timers.due.empty());
}

BOOST_FIXTURE_TEST_CASE(a_timer_does_not_keep_its_call, Fixture) {
  call->start(3s);
  const std::weak_ptr<Call> weak = call;
  call.reset();
  BOOST_TEST(weak.expired());
  timers.advance(3s);
}

BOOST_AUTO_TEST_CASE(of_many_that_end_a_call_at_once_one_does) {
  struct {
    CallClock::Clock::time_point now() const { return {}; }
    Timers::Handle at(CallClock::Clock::time_point when, const std::function<void()>&) { return {when, 0}; }
    void forget(const Timers::Handle&) { ++forgotten; }
    int forgotten = 0;
  } timers;
  for (int round = 0; round < 200; ++round) {
    CallClock clock;
    clock.start(timers, 1s, std::weak_ptr<Call>());
    std::atomic<int> ended{0};
    std::vector<std::thread> threads;
    threads.reserve(4);
    for (int i = 0; i < 4; ++i) threads.emplace_back([&] { ended += clock.end(timers) ? 1 : 0; });
    for (std::thread& thread : threads) thread.join();
    BOOST_TEST(ended == 1);
    BOOST_TEST(timers.forgotten == round + 1);
  }
}
