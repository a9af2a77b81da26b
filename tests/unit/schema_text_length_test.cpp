#include "schema/text_length.hpp"

#define BOOST_TEST_MODULE schema_text_length
#include <boost/test/unit_test.hpp>
#include <string>

namespace {

using toolwire::schema::has_length;
using toolwire::text::count_code_points;

BOOST_AUTO_TEST_CASE(code_points_are_counted_in_texts_of_any_length) {
  for (const std::size_t count : {0U, 1U, 7U, 8U, 9U, 100U, 255U * 8U, 3000U, 100'000U}) {
    std::string text;
    for (std::size_t index = 0; index < count; ++index)
      text += index % 3 == 0 ? "x" : index % 3 == 1 ? "\xc3\xa4" : "\xf0\x9f\x98\x80";
    BOOST_TEST(count_code_points(text) == count);
    BOOST_TEST(count_code_points(std::string(count, 'a')) == count);
  }
}

BOOST_AUTO_TEST_CASE(length_counts_code_points) {
  BOOST_TEST(count_code_points("aé大😀") == 4U);
  BOOST_TEST(count_code_points("") == 0U);
}

BOOST_AUTO_TEST_CASE(bounds_hold_exactly) {
  const std::string text = "\xf0\x9f\x98\x80\xf0\x9f\x98\x80 a";  // 4 code points, 10 bytes
  for (std::uint32_t bound = 0; bound < 12; ++bound) {
    BOOST_TEST(has_length(text, bound, 0xffffffff) == (bound <= 4));
    BOOST_TEST(has_length(text, 0, bound) == (bound >= 4));
  }
}

}  // namespace
