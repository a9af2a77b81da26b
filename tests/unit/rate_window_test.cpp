#include <toolwire/rate_window.hpp>

#define BOOST_TEST_MODULE rate_window_test
#include <boost/test/unit_test.hpp>

#include <string>

using namespace std::chrono_literals;
using toolwire::rate_key;
using toolwire::RateWindow;

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

BOOST_AUTO_TEST_CASE(each_caller_has_a_key_of_its_own) {
  BOOST_TEST(rate_key("t", "") == "t");
  BOOST_TEST(rate_key("t", "ann") != rate_key("t", "bob"));
  BOOST_TEST(rate_key("bt", "a") != rate_key("t", "ab"));
}

BOOST_AUTO_TEST_CASE(keys_that_are_not_used_any_more_are_forgotten) {
  RateWindow window;
  window.charge("kept", 1, start + 59s);
  for (int i = 0; i < 100'000; ++i) window.charge(std::to_string(i), 1, start + i * 1ms);
  BOOST_TEST(window.charge("kept", 1, start + 100s).has_value());
  for (int i = 0; i < 200'000; ++i) window.look("other " + std::to_string(i), 1, start + 200s);
  BOOST_TEST(window.keys() <= 100'000U);
}

BOOST_AUTO_TEST_CASE(each_tool_has_a_window_of_its_own) {
  RateWindow window;
  window.charge("a", 1, start);
  BOOST_TEST(!window.charge("b", 1, start).has_value());
}

BOOST_AUTO_TEST_CASE(looking_charges_nothing) {
  RateWindow window;
  for (int i = 0; i < 5; ++i) BOOST_TEST(!window.look("t", 1, start).has_value());
  BOOST_TEST(!window.charge("t", 1, start).has_value());
  BOOST_TEST((window.look("t", 1, start + 20s) == 40s));
}

BOOST_AUTO_TEST_CASE(a_limit_that_was_lowered_counts_what_was_called_before) {
  RateWindow window;
  for (int i = 0; i < 4; ++i) window.charge("t", 10, start + i * 10s);
  BOOST_TEST((window.charge("t", 2, start + 40s) == 40s));  // the third, not the first, must pass
  BOOST_TEST(!window.charge("t", 5'000'000'000, start + 40s).has_value());
}
