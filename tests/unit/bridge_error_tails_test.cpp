#include "activities/runtime/error_tails.hpp"

#define BOOST_TEST_MODULE bridge_error_tails_test
#include <boost/test/unit_test.hpp>
#include <string>

using toolwire::bridge::runtimes::ErrorTails;

BOOST_AUTO_TEST_CASE(what_is_said_while_one_call_runs_is_of_that_call) {
  ErrorTails tails(100);
  tails.begin(1);
  tails.add("of the first\n");
  tails.end(1);
  tails.begin(2);
  tails.add("of the second\n");
  BOOST_TEST(tails.of(2) == "of the second\n");
  BOOST_TEST(tails.of(1) == "");
  BOOST_TEST(!tails.has_unattributed(2));
}

BOOST_AUTO_TEST_CASE(what_is_said_while_several_run_is_of_none_and_that_is_known) {
  ErrorTails tails(100);
  tails.begin(1);
  tails.add("alone\n");
  tails.begin(2);
  tails.add("whose?\n");
  BOOST_TEST(tails.of(1) == "alone\n");
  BOOST_TEST(tails.of(2) == "");
  BOOST_TEST(tails.has_unattributed(1));
  BOOST_TEST(tails.has_unattributed(2));
  tails.end(2);
  tails.add("alone again\n");
  BOOST_TEST(tails.of(1) == "alone\nalone again\n");
}

BOOST_AUTO_TEST_CASE(what_is_said_between_calls_is_of_no_later_one) {
  ErrorTails tails(100);
  tails.add("at the start\n");
  BOOST_TEST(tails.before_calls() == "at the start\n");
  tails.begin(1);
  tails.end(1);
  tails.add("late\n");
  tails.begin(2);
  BOOST_TEST(tails.of(2) == "");
  BOOST_TEST(tails.before_calls() == "");
}

BOOST_AUTO_TEST_CASE(only_the_end_is_kept_from_the_beginning_of_a_line) {
  ErrorTails tails(10);
  tails.begin(1);
  tails.add("a long line\nshort\n");
  BOOST_TEST(tails.of(1) == "short\n");
}
