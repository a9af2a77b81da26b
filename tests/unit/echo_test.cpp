#include "types/echo.hpp"

#define BOOST_TEST_MODULE echo_test
#include <boost/test/unit_test.hpp>

using toolwire::types::count_code_points;
using toolwire::types::echo;

BOOST_AUTO_TEST_CASE(plain_text_stays_as_it_is) {
  BOOST_TEST(echo("") == "");
  BOOST_TEST(echo("größe 大 😀") == "größe 大 😀");
}

BOOST_AUTO_TEST_CASE(what_a_terminal_or_a_reader_cannot_see_becomes_an_escape) {
  BOOST_TEST(echo("a\nb\tc\x1b[0m\x7f") == "a\\nb\\tc\\u001b[0m\\u007f");
  BOOST_TEST(echo("\u202Eabc\u200B\uFEFF\u0085") == "\\u202eabc\\u200b\\ufeff\\u0085");
  BOOST_TEST(echo("\U000E0041") == "\\u{0e0041}");
  BOOST_TEST(echo("a\"\\") == "a\\\"\\\\");
  BOOST_TEST(echo(std::string_view("\0", 1)) == "\\u0000");
}

BOOST_AUTO_TEST_CASE(long_text_is_cut_between_characters) {
  BOOST_TEST(echo(std::string(64, 'a')) == std::string(64, 'a'));
  BOOST_TEST(echo(std::string(65, 'a')) == std::string(64, 'a') + "…");
  BOOST_TEST(echo(std::string(63, 'a') + "é") == std::string(63, 'a') + "…");
}

BOOST_AUTO_TEST_CASE(bytes_that_are_not_text_are_replaced) { BOOST_TEST(echo("a\xff\xc3") == "a\uFFFD\uFFFD"); }

BOOST_AUTO_TEST_CASE(length_counts_code_points) {
  BOOST_TEST(count_code_points("aé大😀") == 4U);
  BOOST_TEST(count_code_points("") == 0U);
}
