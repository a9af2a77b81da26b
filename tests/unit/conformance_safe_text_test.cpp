#include "report/safe_text.hpp"

#define BOOST_TEST_MODULE conformance_safe_text_test
#include <boost/test/unit_test.hpp>

using namespace toolwire::conformance;

BOOST_AUTO_TEST_CASE(bytes_that_are_no_utf8_are_replaced) {
  BOOST_TEST(valid_utf8("a\xff\xC3") == "a\xEF\xBF\xBD\xEF\xBF\xBD");
  BOOST_TEST(valid_utf8("\xC0\x80") == "\xEF\xBF\xBD\xEF\xBF\xBD");              // overlong
  BOOST_TEST(valid_utf8("\xED\xA0\x80").find("\xED") == std::string::npos);      // half of a surrogate pair
  BOOST_TEST(valid_utf8("\xF4\x90\x80\x80").find("\xF4") == std::string::npos);  // beyond U+10FFFF
  BOOST_TEST(valid_utf8("Grüße 日本 🙂") == "Grüße 日本 🙂");
}

BOOST_AUTO_TEST_CASE(control_characters_become_visible) {
  BOOST_TEST(visible("a\x1b[31mb\r\x07") == "a\\x1b[31mb\\x0d\\x07");
  BOOST_TEST(visible("\xff") == "\\xff");
  BOOST_TEST(visible("two\nlines\tand a tab") == "two\nlines\tand a tab");
  BOOST_TEST(visible("\xE2\x80\xAEtxt") == "\\u{202e}txt");
  BOOST_TEST(visible("\xC2\x9B") == "\\u{9b}");  // the one character that begins a terminal's sequences
  BOOST_TEST(visible(std::string_view("\0", 1)) == "\\x00");
}

BOOST_AUTO_TEST_CASE(a_text_is_shortened_between_characters) {
  BOOST_TEST(shortened("short", 10) == "short");
  BOOST_TEST(shortened("aü", 2) == "a… (2 bytes more)");
}

BOOST_AUTO_TEST_CASE(an_excerpt_keeps_the_beginning_and_the_end) {
  BOOST_TEST(excerpt("1\n2\n3\n4\n5\n6\n", 4, 100) == "1\n2\n… 2 lines left out …\n5\n6\n");
  BOOST_TEST(excerpt("1\n2\n", 4, 100) == "1\n2\n");
  BOOST_TEST(excerpt("1\n2\n3\n4", 4, 100) == "1\n2\n3\n4\n");
  BOOST_TEST(excerpt(std::string(1000, 'x'), 4, 10).size() < 40U);
}

BOOST_AUTO_TEST_CASE(markup_cannot_be_closed_from_within) {
  BOOST_TEST(escaped_markup("<a href='x'>&\"\x01") == "&lt;a href=&#39;x&#39;&gt;&amp;&quot;\\x01");
}

BOOST_AUTO_TEST_CASE(a_word_survives_a_shell) {
  BOOST_TEST(shell_word("plain/path-1.0") == "plain/path-1.0");
  BOOST_TEST(shell_word("") == "''");
  BOOST_TEST(shell_word("it's $HOME") == "'it'\\''s $HOME'");
}
