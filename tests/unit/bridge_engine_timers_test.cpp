#include "system/engine_timers.hpp"

#define BOOST_TEST_MODULE bridge_engine_timers_test
#include <boost/test/unit_test.hpp>

#include <future>
#include <memory>
#include <vector>

using namespace toolwire::bridge;
using namespace std::chrono_literals;

namespace {

std::shared_ptr<toolwire::Engine> engine_of(unsigned threads) {
  return std::make_shared<toolwire::Engine>(toolwire::EngineOptions{.threads = threads});
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_due_runs_in_the_order_of_its_time) {
  EngineTimers timers(engine_of(1));
  std::vector<int> order;
  std::promise<void> done;
  timers.after(40ms, [&] { order.push_back(3), done.set_value(); });
  timers.after(20ms, [&] { order.push_back(2); });
  timers.after(0ms, [&] { order.push_back(1); });
  done.get_future().wait();
  BOOST_TEST(order == std::vector<int>({1, 2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(one_that_takes_its_time_does_not_hold_up_the_others) {
  EngineTimers timers(engine_of(2));
  std::promise<void> may_end;
  std::promise<void> other_ran;
  timers.after(0ms, [&] { may_end.get_future().wait(); });
  timers.after(1ms, [&] { other_ran.set_value(); });
  other_ran.get_future().wait();
  may_end.set_value();
}

BOOST_AUTO_TEST_CASE(what_is_cancelled_does_not_run_and_is_released_at_once) {
  EngineTimers timers(engine_of(1));
  auto held = std::make_shared<int>(1);
  const std::weak_ptr<int> watch = held;
  const auto handle = timers.after(1h, [held = std::move(held)] { BOOST_TEST(!*held); });
  timers.cancel(handle);
  BOOST_TEST(watch.expired());
}

BOOST_AUTO_TEST_CASE(what_is_due_but_has_not_begun_can_still_be_cancelled) {
  EngineTimers timers(engine_of(1));
  std::promise<void> began;
  std::promise<void> may_end;
  std::promise<void> last;
  bool ran = false;
  timers.after(0ms, [&] {
    began.set_value();
    may_end.get_future().wait();
  });
  began.get_future().wait();
  const auto handle = timers.after(0ms, [&] { ran = true; });  // behind the other, as there is one thread for jobs
  timers.after(1ms, [&] { last.set_value(); });
  timers.cancel(handle);
  may_end.set_value();
  last.get_future().wait();
  BOOST_TEST(!ran);
}

BOOST_AUTO_TEST_CASE(destruction_drops_what_has_not_begun_and_waits_for_what_has) {
  bool ended = false;
  auto held = std::make_shared<int>(1);
  const std::weak_ptr<int> watch = held;
  const auto engine = engine_of(1);
  {
    EngineTimers timers(engine);
    std::promise<void> began;
    timers.after(1h, [held = std::move(held)] {});
    timers.after(0ms, [&] {
      began.set_value();
      std::this_thread::yield();
      ended = true;
    });
    began.get_future().wait();
  }
  BOOST_TEST(ended);
  BOOST_TEST(watch.expired());
}
