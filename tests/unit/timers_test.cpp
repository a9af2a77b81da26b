#include "engine/timers.hpp"

#define BOOST_TEST_MODULE timers_test
#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <utility>

using namespace std::chrono_literals;
using toolwire::engine::Timers;

namespace {
const Timers::Clock::time_point start{100h};
}

BOOST_AUTO_TEST_CASE(what_is_due_runs_in_the_order_of_its_time) {
  Timers timers;
  std::string ran;
  timers.add(start + 2s, [&] { ran += 'b'; });
  timers.add(start + 1s, [&] { ran += 'a'; });
  timers.add(start + 2s, [&] { ran += 'c'; });
  timers.add(start + 3s, [&] { ran += 'd'; });
  timers.run_due(start + 2s);
  BOOST_TEST(ran == "abc");
  timers.run_due(start + 2s);
  BOOST_TEST(ran == "abc");
  BOOST_TEST((timers.next() == start + 3s));
}

BOOST_AUTO_TEST_CASE(a_timer_says_whether_it_is_the_next_one) {
  Timers timers;
  BOOST_TEST(timers.add(start + 2s, [] {}).second);
  BOOST_TEST(!timers.add(start + 3s, [] {}).second);
  BOOST_TEST(timers.add(start + 1s, [] {}).second);
}

BOOST_AUTO_TEST_CASE(a_cancelled_timer_does_not_run) {
  Timers timers;
  bool ran = false;
  const auto handle = timers.add(start, [&] { ran = true; }).first;
  timers.cancel(handle);
  timers.cancel(handle);
  timers.run_due(start + 1s);
  BOOST_TEST(!ran);
  BOOST_TEST(!timers.next().has_value());
}

BOOST_AUTO_TEST_CASE(what_a_cancelled_timer_owned_may_cancel_others) {
  Timers timers;
  const auto other = timers.add(start, [] {}).first;
  const auto cancels_other = [&](const int* owned) {
    delete owned;
    timers.cancel(other);
  };
  std::shared_ptr<int> owner(new int, cancels_other);
  const auto handle = timers.add(start, [owned = std::exchange(owner, nullptr)] {}).first;
  timers.cancel(handle);
  BOOST_TEST(!timers.next().has_value());
}

BOOST_AUTO_TEST_CASE(a_timer_may_set_another_one) {
  Timers timers;
  int ran = 0;
  timers.add(start, [&] { timers.add(start, [&] { ++ran; }); });
  timers.run_due(start);
  BOOST_TEST(ran == 0);
  timers.run_due(start);
  BOOST_TEST(ran == 1);
}

BOOST_AUTO_TEST_CASE(timers_that_are_closed_hold_nothing) {
  Timers timers;
  const auto held = std::make_shared<int>();
  timers.add(start, [held] {});
  timers.close();
  BOOST_TEST(held.use_count() == 1);
  BOOST_TEST(!timers.add(start, [held] {}).second);
  BOOST_TEST(held.use_count() == 1);
  BOOST_TEST(!timers.next().has_value());
}

BOOST_AUTO_TEST_CASE(what_an_owner_has_added_can_be_dropped) {
  Timers timers;
  const auto due = Timers::Clock::now();
  std::string ran;
  int owner = 0;
  timers.add(
      due, [&] { ran += 'a'; }, &owner);
  timers.add(due, [&] { ran += 'b'; });
  timers.drop(&owner);
  timers.add(
      due, [&] { ran += 'c'; }, &owner);
  timers.run_due(due);
  BOOST_TEST(ran == "bc");
}
