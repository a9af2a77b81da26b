#include <toolwire/detail/back_off.hpp>

#define BOOST_TEST_MODULE back_off_test
#include <boost/test/unit_test.hpp>

using namespace std::chrono_literals;
using toolwire::BackOff;

namespace {

const BackOff::Clock::time_point start{1h};

}  // namespace

BOOST_AUTO_TEST_CASE(the_first_failure_is_retried_at_once_and_the_next_ones_ever_later) {
  BackOff back_off({.first = 100ms, .longest = 300ms, .stable = 10s});
  BOOST_TEST((back_off.failed(start) == start));
  BOOST_TEST((back_off.failed(start) == start + 100ms));
  BOOST_TEST((back_off.failed(start) == start + 200ms));
  BOOST_TEST((back_off.failed(start) == start + 300ms));
  BOOST_TEST((back_off.failed(start) == start + 300ms));
  BOOST_TEST(back_off.in_a_row() == 5U);
}

BOOST_AUTO_TEST_CASE(a_life_that_was_long_enough_begins_a_new_row_and_a_short_one_does_not) {
  BackOff back_off({.first = 100ms, .longest = 300ms, .stable = 10s});
  back_off.failed(start);
  back_off.started(start);
  BOOST_TEST((back_off.failed(start + 9s) == start + 9s + 100ms));
  back_off.started(start + 10s);
  BOOST_TEST((back_off.failed(start + 20s) == start + 20s));
  BOOST_TEST((back_off.failed(start + 90s) == start + 90s + 100ms));  // no start in between: not a long life
}
