#include "types/in_seconds.hpp"

#define BOOST_TEST_MODULE in_seconds_test
#include <boost/test/unit_test.hpp>

using namespace std::chrono_literals;
using toolwire::types::in_seconds;

BOOST_AUTO_TEST_CASE(whole_seconds_keep_their_zeros) {
  BOOST_TEST(in_seconds(30s) == "30 s");
  BOOST_TEST(in_seconds(600s) == "600 s");
}

BOOST_AUTO_TEST_CASE(parts_of_a_second_have_no_more_digits_than_they_need) {
  BOOST_TEST(in_seconds(50ms) == "0.05 s");
  BOOST_TEST(in_seconds(1500ms) == "1.5 s");
  BOOST_TEST(in_seconds(1ms) == "0.001 s");
}
