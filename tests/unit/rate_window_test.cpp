#include "protocol/tools/rate_window.hpp"

#define BOOST_TEST_MODULE rate_window_test
#include <boost/test/unit_test.hpp>

using namespace std::chrono_literals;
using toolwire::protocol::RateWindow;

namespace {
const RateWindow::Clock::time_point start{100h};
}

BOOST_AUTO_TEST_CASE(calls_beyond_the_rate_are_told_how_long_to_wait) {
  RateWindow window;
  BOOST_TEST(!window.charge("t", 2, start).has_value());
  BOOST_TEST(!window.charge("t", 2, start + 10s).has_value());
  BOOST_TEST((window.charge("t", 2, start + 20s) == 40s));
  BOOST_TEST((window.charge("t", 2, start + 60s - 1ns) == 1ms));  // never zero, or it would be tried in vain
}

BOOST_AUTO_TEST_CASE(a_refused_call_is_not_charged) {
  RateWindow window;
  window.charge("t", 1, start);
  for (int i = 1; i < 50; ++i) BOOST_TEST(window.charge("t", 1, start + i * 1s).has_value());
  BOOST_TEST(!window.charge("t", 1, start + 60s).has_value());
}

BOOST_AUTO_TEST_CASE(the_window_slides) {
  RateWindow window;
  window.charge("t", 2, start);
  window.charge("t", 2, start + 30s);
  BOOST_TEST(!window.charge("t", 2, start + 60s).has_value());
  BOOST_TEST((window.charge("t", 2, start + 61s) == 29s));
}

BOOST_AUTO_TEST_CASE(each_tool_has_a_window_of_its_own) {
  RateWindow window;
  window.charge("a", 1, start);
  BOOST_TEST(!window.charge("b", 1, start).has_value());
}

BOOST_AUTO_TEST_CASE(a_continuation_is_free_once_while_its_state_lives) {
  RateWindow window;
  BOOST_TEST(window.first_use("n", 5min, start));
  BOOST_TEST(!window.first_use("n", 5min, start + 1s));
  BOOST_TEST(window.first_use("m", 5min, start + 1s));
  BOOST_TEST(!window.first_use("n", 5min, start + 5min - 1ns));
  BOOST_TEST(window.first_use("n", 5min, start + 5min));  // by then the state itself is refused
}

BOOST_AUTO_TEST_CASE(too_many_continuations_are_charged_instead_of_remembered) {
  RateWindow window;
  for (int i = 0; i < 65'536; ++i) window.first_use(std::to_string(i), 5min, start);
  BOOST_TEST(!window.first_use("one more", 5min, start));
  BOOST_TEST(window.first_use("later", 5min, start + 5min));
}
