#include "report/safe_text.hpp"

#define BOOST_TEST_MODULE conformance_safe_text_test
#include <boost/test/unit_test.hpp>

using namespace toolwire::conformance;

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

BOOST_AUTO_TEST_CASE(a_word_survives_a_shell) {
  BOOST_TEST(shell_word("plain/path-1.0") == "plain/path-1.0");
  BOOST_TEST(shell_word("") == "''");
  BOOST_TEST(shell_word("it's $HOME") == "'it'\\''s $HOME'");
}
