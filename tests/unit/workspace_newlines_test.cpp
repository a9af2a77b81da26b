#include "workspace/text/newlines.hpp"

#define BOOST_TEST_MODULE workspace_newlines_test
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <random>
#include <string>

BOOST_AUTO_TEST_CASE(as_many_are_counted_as_there_are_whatever_the_length_and_the_place) {
  std::mt19937 random{3};
  for (std::size_t length = 0; length < 300; ++length) {
    std::string text(length, 'x');
    for (char& c : text) c = random() % 3 == 0 ? '\n' : static_cast<char>(random() % 256);
    for (std::size_t from = 0; from < std::min<std::size_t>(length, 33); ++from) {
      const std::string_view part = std::string_view(text).substr(from);
      BOOST_REQUIRE(workspace::newlines(part) ==
                    static_cast<std::uint64_t>(std::count(part.begin(), part.end(), '\n')));
    }
  }
}

BOOST_AUTO_TEST_CASE(no_sum_overflows) { BOOST_TEST(workspace::newlines(std::string(100'000, '\n')) == 100'000U); }
