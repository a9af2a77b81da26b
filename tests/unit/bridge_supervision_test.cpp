#include "activities/mcp/supervision.hpp"

#define BOOST_TEST_MODULE bridge_supervision_test
#include <boost/test/unit_test.hpp>
#include <chrono>

using namespace std::chrono_literals;
using toolwire::bridge::mcp::Supervision;
using toolwire::bridge::mcp::SupervisionLimits;

namespace {

using Step = Supervision::Step;

const Supervision::Clock::time_point start{1h};
const SupervisionLimits limits{.back_off = {.first = 8s, .longest = 60s, .stable = 10s},
                               .unasked_restarts = 1,
                               .max_wait = 5s,
                               .between_listings = 250ms};

/// One whose server runs since `start`.
Supervision running() {
  Supervision supervision(limits);
  supervision.want();
  supervision.begin_start();
  supervision.started(start);
  return supervision;
}

/// One whose server has failed to start so many times.
Supervision failed(int times) {
  Supervision supervision(limits);
  for (int i = 0; i < times; ++i) {
    supervision.begin_start();
    supervision.start_failed(start, false);
  }
  return supervision;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_server_is_started_when_it_is_wanted) {
  Supervision supervision(limits);
  BOOST_TEST((supervision.next(start, false) == Step::wait));
  BOOST_TEST(!supervision.next_time().has_value());
  supervision.want();
  BOOST_TEST((supervision.next(start, false) == Step::start));
  supervision.begin_start();
  supervision.started(start);
  BOOST_TEST(supervision.takes_calls());
  BOOST_TEST((supervision.next(start, false) == Step::wait));
  BOOST_TEST((supervision.next(start, true) == Step::send_waiting));
}

BOOST_AUTO_TEST_CASE(a_lost_server_is_cleaned_up_after_and_started_again_at_once) {
  Supervision supervision = running();
  supervision.lost("it was killed");
  BOOST_TEST(!supervision.is_up());
  BOOST_TEST((supervision.next(start, true) == Step::clean_up));
  BOOST_TEST(supervision.begin_clean_up() == "it was killed");
  supervision.cleaned_up(start, false);
  BOOST_TEST((supervision.next(start, false) == Step::start));
}

BOOST_AUTO_TEST_CASE(a_server_that_is_lost_while_it_starts_never_takes_calls) {
  Supervision supervision(limits);
  supervision.begin_start();
  supervision.lost("it ended");
  supervision.started(start);
  BOOST_TEST(!supervision.takes_calls());
  BOOST_TEST((supervision.next(start, true) == Step::clean_up));
}

BOOST_AUTO_TEST_CASE(what_was_lost_before_a_start_failed_is_not_cleaned_up_after) {
  Supervision supervision(limits);
  supervision.begin_start();
  supervision.lost("it ended");
  supervision.start_failed(start, true);
  BOOST_TEST((supervision.next(start, true) == Step::start));
}

BOOST_AUTO_TEST_CASE(failures_in_a_row_put_off_the_next_start) {
  Supervision supervision = failed(2);
  supervision.want();
  BOOST_TEST((supervision.next(start, true) == Step::wait));
  BOOST_TEST((supervision.next_time() == start + 8s));
  BOOST_TEST((supervision.too_long_a_wait(start) == 8s));
  BOOST_TEST(!supervision.too_long_a_wait(start + 4s).has_value());
  BOOST_TEST((supervision.next(start + 8s, true) == Step::start));
  BOOST_TEST(supervision.failures_in_a_row() == 2U);
}

BOOST_AUTO_TEST_CASE(after_some_failures_nobody_asked_about_a_call_has_to_ask) {
  Supervision supervision = failed(2);
  BOOST_TEST((supervision.next(start + 1h, false) == Step::wait));
  BOOST_TEST(!supervision.next_time().has_value());
  supervision.want();
  BOOST_TEST((supervision.next(start + 1h, true) == Step::start));
}

BOOST_AUTO_TEST_CASE(a_call_that_waits_has_the_server_started_however_often_it_failed) {
  Supervision supervision = failed(1);
  supervision.begin_start();
  supervision.start_failed(start, true);
  BOOST_TEST((supervision.next(start + 8s, true) == Step::start));
}

BOOST_AUTO_TEST_CASE(changed_lists_are_asked_for_before_the_next_call_but_not_too_often) {
  Supervision supervision = running();
  supervision.lists_changed();
  BOOST_TEST(supervision.is_up());
  BOOST_TEST(!supervision.takes_calls());
  BOOST_TEST((supervision.next(start, true) == Step::wait));
  BOOST_TEST((supervision.next_time() == start + 250ms));
  BOOST_TEST((supervision.next(start + 250ms, true) == Step::list));
  supervision.begin_listing(start + 250ms);
  BOOST_TEST(!supervision.is_up());
  supervision.listed();
  BOOST_TEST(supervision.takes_calls());
}

BOOST_AUTO_TEST_CASE(a_change_during_a_look_has_another_follow) {
  Supervision supervision = running();
  supervision.lists_changed();
  supervision.begin_listing(start);
  supervision.lists_changed();
  supervision.listed();
  BOOST_TEST(!supervision.takes_calls());
  BOOST_TEST((supervision.next(start + 250ms, false) == Step::list));
}

BOOST_AUTO_TEST_CASE(a_server_that_is_lost_during_a_look_takes_no_calls_after_it) {
  Supervision supervision = running();
  supervision.begin_listing(start);
  supervision.lost("it ended");
  supervision.listed();
  BOOST_TEST(!supervision.takes_calls());
  BOOST_TEST((supervision.next(start, true) == Step::clean_up));
}

BOOST_AUTO_TEST_CASE(nothing_is_sent_while_a_server_that_took_nothing_is_not_yet_known_to_be_gone) {
  Supervision supervision = running();
  supervision.sending_failed();
  BOOST_TEST((supervision.next(start, true) == Step::wait));
  supervision.lost("it ended");
  BOOST_TEST((supervision.next(start, true) == Step::clean_up));
}
