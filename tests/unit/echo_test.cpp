#include "types/echo.hpp"

#define BOOST_TEST_MODULE echo_test
#include <boost/test/unit_test.hpp>
#include <string>

#include "misleading_texts.hpp"

using toolwire::types::echo;

BOOST_AUTO_TEST_CASE(plain_text_stays_as_it_is) {
  BOOST_TEST(echo("") == "");
  BOOST_TEST(echo("größe 大 😀") == "größe 大 😀");
}

BOOST_AUTO_TEST_CASE(what_a_terminal_or_a_reader_cannot_see_becomes_an_escape) {
  BOOST_TEST(echo("a\nb\tc\x1b[0m\x7f") == "a\\nb\\tc\\u{1B}[0m\\u{7F}");
  // NOLINTNEXTLINE(misc-misleading-bidirectional): written as an escape
  BOOST_TEST(echo("\u202Eabc\u200B\uFEFF\u0085") == "\\u{202E}abc\\u{200B}\\u{FEFF}\\u{85}");
  BOOST_TEST(echo("\U000E0041") == "\\u{E0041}");
  BOOST_TEST(echo("a\"\\") == "a\\\"\\\\");
  BOOST_TEST(echo(std::string_view("\0", 1)) == "\\u{0}");
}

BOOST_AUTO_TEST_CASE(what_hides_in_a_text_is_shown) {
  for (const toolwire::tests::MisleadingText& it : toolwire::tests::misleading_texts)
    BOOST_TEST(echo(it.bytes) == it.visible, it.what);
}

BOOST_AUTO_TEST_CASE(long_text_is_cut_between_characters) {
  BOOST_TEST(echo(std::string(64, 'a')) == std::string(64, 'a'));
  BOOST_TEST(echo(std::string(65, 'a')) == std::string(64, 'a') + "…");
  BOOST_TEST(echo(std::string(63, 'a') + "é") == std::string(63, 'a') + "…");
}

BOOST_AUTO_TEST_CASE(bytes_that_are_not_text_become_escapes) { BOOST_TEST(echo("a\xff\xc3") == "a\\xFF\\xC3"); }
