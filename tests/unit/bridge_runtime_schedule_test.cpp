#include "activities/runtime/schedule.hpp"

#define BOOST_TEST_MODULE bridge_runtime_schedule_test
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <vector>

using namespace std::chrono_literals;
using toolwire::bridge::runtimes::Schedule;
using toolwire::bridge::runtimes::ScheduleLimits;

namespace {

using Life = Schedule::Life;
using Why = Schedule::Refusal::Why;

const Schedule::Clock::time_point start{1h};

ScheduleLimits limits(std::size_t places, std::size_t calls_at_once) {
  return {.places = places,
          .calls_at_once = calls_at_once,
          .max_waiting = 4,
          .max_wait = 5s,
          .back_off = {.first = 8s, .longest = 60s, .stable = 0ms}};
}

/// A schedule whose first process serves.
Schedule serving(std::size_t places, std::size_t calls_at_once) {
  Schedule schedule(limits(places, calls_at_once));
  schedule.want_one();
  schedule.ready(schedule.grow(start).start.value(), start);
  return schedule;
}

/// Where the call that waits longest now runs.
std::size_t assigned(Schedule& schedule, Schedule::Call call) {
  const auto next = schedule.assign(start);
  BOOST_REQUIRE(next.has_value());
  BOOST_TEST(next->call == call);
  return next->place;
}

}  // namespace

BOOST_AUTO_TEST_CASE(nothing_is_started_until_a_call_waits) {
  Schedule schedule(limits(2, 1));
  BOOST_TEST(!schedule.grow(start).start.has_value());
  schedule.add(1);
  BOOST_TEST((schedule.grow(start).start == 0U));
  BOOST_TEST((schedule.life(0) == Life::starting));
  BOOST_TEST(!schedule.grow(start).start.has_value());  // the one that starts is enough
}

BOOST_AUTO_TEST_CASE(a_process_is_started_without_a_call_where_one_is_wanted_and_none_runs) {
  Schedule schedule(limits(2, 1));
  schedule.want_one();
  BOOST_TEST(schedule.grow(start).start.has_value());
  schedule.want_one();
  BOOST_TEST(!schedule.grow(start).start.has_value());
}

BOOST_AUTO_TEST_CASE(calls_go_to_the_process_with_the_fewest_in_the_order_they_came) {
  Schedule schedule = serving(2, 2);
  schedule.add(1);
  schedule.add(2);
  BOOST_TEST(assigned(schedule, 1) == 0U);
  BOOST_TEST((schedule.grow(start).start == 1U));  // more calls than processes
  schedule.ready(1, start);
  BOOST_TEST(assigned(schedule, 2) == 1U);
  BOOST_TEST(!schedule.assign(start).has_value());
  BOOST_TEST(schedule.call_count() == 2U);
  schedule.finish(1);
  BOOST_TEST(schedule.call_count() == 1U);
  BOOST_TEST(!schedule.has_calls(0));
}

BOOST_AUTO_TEST_CASE(calls_of_a_new_pool_are_spread_over_its_processes) {
  Schedule schedule({.places = 2, .calls_at_once = 16, .max_waiting = 100});
  for (Schedule::Call call = 1; call <= 16; ++call) schedule.add(call);
  BOOST_TEST((schedule.grow(start).start == 0U));
  BOOST_TEST((schedule.grow(start).start == 1U));
  BOOST_TEST(!schedule.grow(start).start.has_value());
  schedule.ready(0, start);
  for (Schedule::Call call = 1; call <= 8; ++call) BOOST_TEST(assigned(schedule, call) == 0U);
  BOOST_TEST(!schedule.assign(start).has_value());
  schedule.ready(1, start);
  for (Schedule::Call call = 9; call <= 16; ++call) BOOST_TEST(assigned(schedule, call) == 1U);
}

BOOST_AUTO_TEST_CASE(calls_are_not_kept_for_long_for_a_process_that_starts_slowly) {
  const ScheduleLimits its_limits = limits(2, 4);
  Schedule schedule(its_limits);
  schedule.add(1);
  schedule.add(2);
  schedule.grow(start);
  schedule.grow(start);
  schedule.ready(0, start);
  assigned(schedule, 1);
  BOOST_TEST(!schedule.assign(start).has_value());
  BOOST_TEST((schedule.assign(start + its_limits.max_hold)->place == 0U));
}

BOOST_AUTO_TEST_CASE(a_process_whose_neighbour_does_not_start_takes_all_calls) {
  Schedule schedule(limits(2, 4));
  for (Schedule::Call call = 1; call <= 4; ++call) schedule.add(call);
  schedule.grow(start);
  schedule.grow(start);
  schedule.ready(0, start);
  assigned(schedule, 1);
  assigned(schedule, 2);
  BOOST_TEST(!schedule.assign(start).has_value());
  BOOST_TEST(!schedule.gone(1, true, start).is_hopeless);
  assigned(schedule, 3);
  assigned(schedule, 4);
}

namespace {

Schedule recycling(const toolwire::bridge::runtimes::Recycling& recycling) {
  ScheduleLimits bounds = limits(1, 4);
  bounds.recycling = recycling;
  Schedule schedule(bounds);
  schedule.want_one();
  schedule.ready(schedule.grow(start).start.value(), start);
  return schedule;
}

/// One call from its beginning to its end.
void run(Schedule& schedule, Schedule::Call call, std::size_t place, bool failed = false) {
  schedule.add(call);
  BOOST_TEST(assigned(schedule, call) == place);
  schedule.answered(place, start, failed);
  schedule.finish(call);
}

/// The process of this place is replaced by one of the other, and serves until that is ready.
void expect_replaced(Schedule& schedule, std::size_t old_place, std::size_t new_place) {
  BOOST_TEST(schedule.to_leave(start).empty());
  BOOST_TEST((schedule.grow(start).start == new_place));
  run(schedule, 1000, old_place);
  BOOST_TEST(!schedule.grow(start).start.has_value());
  schedule.ready(new_place, start);
  run(schedule, 1001, new_place);
  BOOST_TEST(schedule.to_leave(start) == std::vector<Schedule::Place>{old_place});
  schedule.leave(old_place);
  schedule.gone(old_place, false, start);
  BOOST_TEST(schedule.to_leave(start).empty());
  BOOST_TEST(!schedule.grow(start).start.has_value());
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_process_is_replaced_after_so_many_calls_and_serves_until_then) {
  Schedule schedule = recycling({.max_calls = 2});
  run(schedule, 1, 0);
  BOOST_TEST(!schedule.grow(start).start.has_value());
  run(schedule, 2, 0);
  expect_replaced(schedule, 0, 1);
}

BOOST_AUTO_TEST_CASE(a_process_that_failed_so_many_times_in_a_row_is_replaced) {
  Schedule schedule = recycling({.max_failures = 2});
  run(schedule, 1, 0, true);
  run(schedule, 2, 0, false);
  run(schedule, 3, 0, true);
  BOOST_TEST(!schedule.grow(start).start.has_value());
  run(schedule, 4, 0, true);
  BOOST_TEST((schedule.grow(start).start == 1U));
}

BOOST_AUTO_TEST_CASE(a_process_that_holds_too_much_memory_is_replaced) {
  Schedule schedule = recycling({.max_memory = 100});
  schedule.measured(0, 99);
  BOOST_TEST(!schedule.grow(start).start.has_value());
  schedule.measured(0, 100);
  expect_replaced(schedule, 0, 1);
}

BOOST_AUTO_TEST_CASE(a_process_that_is_too_old_is_replaced) {
  Schedule schedule = recycling({.max_age = 1h});
  BOOST_TEST(schedule.to_leave(start + 59min).empty());
  BOOST_TEST(!schedule.grow(start + 59min).start.has_value());
  BOOST_TEST(schedule.to_leave(start + 1h).empty());
  expect_replaced(schedule, 0, 1);
}

BOOST_AUTO_TEST_CASE(a_process_that_has_nothing_to_do_for_long_leaves_and_is_not_replaced) {
  Schedule schedule = recycling({.max_idle = 1min});
  run(schedule, 1, 0);
  BOOST_TEST(schedule.to_leave(start + 59s).empty());
  BOOST_TEST(schedule.to_leave(start + 1min) == std::vector<Schedule::Place>{0});
  schedule.leave(0);
  schedule.gone(0, false, start);
  BOOST_TEST(!schedule.grow(start).start.has_value());
}

BOOST_AUTO_TEST_CASE(a_worn_process_ends_its_calls_before_it_leaves) {
  Schedule schedule = recycling({.max_calls = 1});
  schedule.add(1);
  assigned(schedule, 1);
  run(schedule, 2, 0);
  schedule.ready(schedule.grow(start).start.value(), start);
  BOOST_TEST(schedule.to_leave(start).empty());
  schedule.finish(1);
  BOOST_TEST(schedule.to_leave(start) == std::vector<Schedule::Place>{0});
}

BOOST_AUTO_TEST_CASE(a_new_generation_is_tried_by_one_process_and_takes_over_at_once) {
  Schedule schedule = serving(2, 4);
  schedule.add(1);
  assigned(schedule, 1);
  schedule.renew();
  BOOST_TEST((schedule.grow(start).start == 1U));
  BOOST_TEST(schedule.is_on_trial(1));
  BOOST_TEST(!schedule.is_on_trial(0));
  schedule.add(2);
  BOOST_TEST(assigned(schedule, 2) == 0U);  // not decided yet
  BOOST_TEST(!schedule.grow(start).start.has_value());
  schedule.ready(1, start);
  schedule.accept();
  schedule.add(3);
  BOOST_TEST(assigned(schedule, 3) == 1U);
  BOOST_TEST(schedule.to_leave(start).empty());  // calls in flight end where they are
  schedule.finish(1);
  schedule.finish(2);
  BOOST_TEST(schedule.to_leave(start) == std::vector<Schedule::Place>{0});
}

BOOST_AUTO_TEST_CASE(a_rejected_generation_leaves_and_none_is_started_while_one_before_it_is_left) {
  Schedule schedule = serving(2, 1);
  schedule.renew();
  BOOST_TEST((schedule.grow(start).start == 1U));
  schedule.reject();
  BOOST_TEST(schedule.to_leave(start) == std::vector<Schedule::Place>{1});
  schedule.leave(1);
  schedule.gone(1, false, start);
  schedule.add(1);
  schedule.add(2);
  BOOST_TEST(assigned(schedule, 1) == 0U);
  BOOST_TEST(!schedule.grow(start).start.has_value());
  schedule.gone(0, true, start);
  BOOST_TEST(!schedule.has_serving());
  BOOST_TEST(schedule.grow(start).start.has_value());  // nothing else is left
}

BOOST_AUTO_TEST_CASE(what_is_edited_while_it_is_tried_is_tried_anew) {
  Schedule schedule = serving(1, 1);
  schedule.renew();
  BOOST_TEST((schedule.grow(start).start == 1U));
  schedule.renew();
  BOOST_TEST(!schedule.is_on_trial(1));
  BOOST_TEST(schedule.to_leave(start) == std::vector<Schedule::Place>{1});
  schedule.leave(1);
  schedule.gone(1, false, start);
  BOOST_TEST((schedule.grow(start).start == 1U));
  BOOST_TEST(schedule.is_on_trial(1));
}

BOOST_AUTO_TEST_CASE(a_full_process_gets_no_call_until_one_has_ended) {
  Schedule schedule = serving(1, 1);
  schedule.add(1);
  schedule.add(2);
  assigned(schedule, 1);
  BOOST_TEST(!schedule.assign(start).has_value());
  schedule.finish(1);
  BOOST_TEST(assigned(schedule, 2) == 0U);
}

BOOST_AUTO_TEST_CASE(no_call_begins_where_one_was_given_up_until_its_tools_have_ended) {
  Schedule schedule = serving(1, 4);
  schedule.add(1);
  assigned(schedule, 1);
  schedule.abandon(1);
  schedule.abandon(1);  // counts once
  BOOST_TEST(schedule.is_abandoned(1));
  schedule.add(2);
  BOOST_TEST(!schedule.assign(start).has_value());
  schedule.finish(1);
  BOOST_TEST(assigned(schedule, 2) == 0U);
}

BOOST_AUTO_TEST_CASE(a_call_that_is_given_up_while_it_waits_is_forgotten_and_its_turn_passed_over) {
  Schedule schedule = serving(1, 1);
  schedule.add(1);
  schedule.add(2);
  schedule.abandon(1);
  BOOST_TEST(schedule.call_count() == 1U);
  BOOST_TEST(!schedule.place_of(1).has_value());
  BOOST_TEST(assigned(schedule, 2) == 0U);
}

BOOST_AUTO_TEST_CASE(too_many_waiting_calls_are_refused) {
  Schedule schedule(limits(1, 1));
  for (Schedule::Call call = 1; call <= 4; ++call) schedule.add(call);
  BOOST_TEST((schedule.refusal(start)->why == Why::too_many_waiting));
  schedule.abandon(2);
  BOOST_TEST(!schedule.refusal(start).has_value());
}

BOOST_AUTO_TEST_CASE(what_ran_in_a_process_that_ends_is_lost_and_what_waits_is_not) {
  Schedule schedule = serving(1, 1);
  schedule.add(1);
  schedule.add(2);
  assigned(schedule, 1);
  const auto loss = schedule.gone(0, true, start);
  BOOST_TEST(loss.calls == std::vector<Schedule::Call>{1});
  BOOST_TEST(!loss.is_hopeless);  // it had served
  BOOST_TEST(schedule.call_count() == 1U);
  BOOST_TEST((schedule.grow(start).start == 0U));  // at once after a first failure
}

BOOST_AUTO_TEST_CASE(failures_in_a_row_put_off_the_next_start_and_refuse_calls_that_would_wait_too_long) {
  Schedule schedule(limits(1, 1));
  schedule.add(1);
  for (int i = 0; i < 2; ++i) {
    BOOST_TEST(schedule.grow(start).start.has_value());
    BOOST_TEST(schedule.gone(0, true, start).is_hopeless);
  }
  BOOST_TEST(!schedule.grow(start).start.has_value());
  BOOST_TEST((schedule.grow(start).look == start + 8s));
  const auto refusal = schedule.refusal(start);
  BOOST_REQUIRE(refusal.has_value());
  BOOST_TEST((refusal->why == Why::no_process_soon));
  BOOST_TEST((refusal->next_start == 8s));
  BOOST_TEST(refusal->failures_in_a_row == 2U);
  BOOST_TEST(!schedule.refusal(start + 4s).has_value());  // soon enough
  BOOST_TEST(schedule.grow(start + 8s).start.has_value());
}

BOOST_AUTO_TEST_CASE(a_process_that_has_answered_a_call_begins_a_new_row_of_failures) {
  Schedule schedule = serving(1, 1);
  schedule.gone(0, true, start);
  schedule.ready(schedule.grow((schedule.want_one(), start)).start.value(), start);
  schedule.answered(0, start);
  schedule.gone(0, true, start);
  schedule.want_one();
  BOOST_TEST(schedule.grow(start).start.has_value());
}

BOOST_AUTO_TEST_CASE(a_process_that_was_ended_for_another_s_sake_is_not_held_against_its_place) {
  Schedule schedule = serving(1, 1);
  for (int i = 0; i < 3; ++i) {
    schedule.leave(0);
    schedule.gone(0, false, start);
    schedule.want_one();
    schedule.ready(schedule.grow(start).start.value(), start);
  }
  BOOST_TEST(!schedule.refusal(start).has_value());
}

BOOST_AUTO_TEST_CASE(a_process_that_is_leaving_gets_no_calls_and_another_is_started) {
  Schedule schedule = serving(2, 4);
  schedule.add(1);
  schedule.leave(0);
  BOOST_TEST(!schedule.assign(start).has_value());
  BOOST_TEST((schedule.grow(start).start == 1U));
}

BOOST_AUTO_TEST_CASE(a_retired_pool_takes_no_calls_and_is_done_with_the_last_of_those_it_has) {
  Schedule schedule = serving(1, 1);
  schedule.add(1);
  assigned(schedule, 1);
  schedule.retire();
  BOOST_TEST((schedule.refusal(start)->why == Why::retired));
  BOOST_TEST(!schedule.is_done());
  schedule.finish(1);
  BOOST_TEST(schedule.is_done());
  BOOST_TEST(!schedule.is_empty());
  schedule.leave(0);
  schedule.gone(0, false, start);
  BOOST_TEST(schedule.is_empty());
}

BOOST_AUTO_TEST_CASE(a_retired_pool_still_starts_a_process_for_a_call_that_waits_and_a_closed_one_does_not) {
  Schedule schedule(limits(1, 1));
  schedule.add(1);
  schedule.retire();
  BOOST_TEST(schedule.grow(start).start.has_value());
  schedule.gone(0, false, start);
  schedule.close();
  BOOST_TEST((schedule.refusal(start)->why == Why::closed));
  BOOST_TEST(!schedule.grow(start).start.has_value());
  BOOST_TEST(schedule.take_waiting() == std::vector<Schedule::Call>{1});
  BOOST_TEST(schedule.call_count() == 0U);
}
