#include "system/awake_clock.hpp"

#define BOOST_TEST_MODULE bridge_awake_clock_test
#include <boost/test/unit_test.hpp>

using toolwire::bridge::AwakeClock;
using namespace std::chrono_literals;

namespace {

const AwakeClock::Clock::time_point start{1h};

}  // namespace

BOOST_AUTO_TEST_CASE(it_goes_with_the_clock_of_the_system_as_long_as_somebody_looks) {
  AwakeClock clock(2s, start);
  for (int second = 1; second <= 100; ++second) BOOST_TEST((clock.now(start + second * 1s) == start + second * 1s));
}

BOOST_AUTO_TEST_CASE(of_the_time_in_which_nobody_could_look_a_step_passes) {
  AwakeClock clock(2s, start);
  clock.now(start + 1s);
  BOOST_TEST((clock.now(start + 1h) == start + 3s));
  BOOST_TEST((clock.now(start + 1h + 1s) == start + 4s));
}

BOOST_AUTO_TEST_CASE(what_is_due_is_due_after_the_time_that_is_left) {
  AwakeClock clock(2s, start);
  BOOST_TEST((clock.real(start + 8s) == start + 8s));
  clock.now(start + 60s);
  BOOST_TEST((clock.real(start + 8s) == start + 66s));
}

BOOST_AUTO_TEST_CASE(a_look_with_an_older_time_changes_nothing) {
  AwakeClock clock(2s, start);
  clock.now(start + 1s);
  BOOST_TEST((clock.now(start) == start + 1s));
  BOOST_TEST((clock.now(start + 2s) == start + 2s));
}
