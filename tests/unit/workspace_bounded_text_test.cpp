#include "workspace/text/bounded_text.hpp"

#define BOOST_TEST_MODULE workspace_bounded_text_test
#include <boost/test/unit_test.hpp>
#include <string>

using workspace::BoundedText;
using workspace::counted;

BOOST_AUTO_TEST_CASE(lines_are_joined_by_newlines_without_one_at_the_end) {
  BoundedText text;
  BOOST_TEST(text.is_empty());
  BOOST_TEST(text.add_line("one"));
  BOOST_TEST(text.add_line(""));
  BOOST_TEST(text.add_line("three"));
  BOOST_TEST(text.text() == "one\n\nthree");
  BOOST_TEST(text.lines() == 3U);
}

BOOST_AUTO_TEST_CASE(the_budget_of_lines_is_exact) {
  BoundedText text{{.lines = 2, .bytes = 100}};
  BOOST_TEST(text.add_line("a"));
  BOOST_TEST(text.add_line("b"));
  BOOST_TEST(!text.is_full());
  BOOST_TEST(!text.add_line("c"));
  BOOST_TEST(text.is_full());
  BOOST_TEST(text.text() == "a\nb");
}

BOOST_AUTO_TEST_CASE(the_budget_of_bytes_counts_newlines_and_is_exact) {
  BoundedText fits{{.lines = 9, .bytes = 8}};
  BOOST_TEST(fits.add_line("abc"));
  BOOST_TEST(fits.add_line("def"));
  BOOST_TEST(!fits.is_full());
  BoundedText over{{.lines = 9, .bytes = 7}};
  BOOST_TEST(over.add_line("abc"));
  BOOST_TEST(!over.add_line("def"));
  BOOST_TEST(over.text() == "abc");
}

BOOST_AUTO_TEST_CASE(nothing_is_added_after_a_line_that_did_not_fit) {
  BoundedText text{{.lines = 9, .bytes = 8}};
  BOOST_TEST(text.add_line("abc"));
  BOOST_TEST(!text.add_line("too long"));
  BOOST_TEST(!text.add_line("d"));
  BOOST_TEST(text.add_part_of_line("d") == 0U);
  BOOST_TEST(text.text() == "abc");
}

BOOST_AUTO_TEST_CASE(what_invalid_bytes_grow_to_counts_against_the_budget) {
  BoundedText text{{.lines = 9, .bytes = 6}};
  BOOST_TEST(!text.add_line("\xFF\xFF"));
  BoundedText larger{{.lines = 9, .bytes = 7}};
  BOOST_TEST(larger.add_line("\xFF\xFF"));
  BOOST_TEST(larger.text() == "\xEF\xBF\xBD\xEF\xBF\xBD");
}

BOOST_AUTO_TEST_CASE(a_part_of_a_line_ends_between_characters_and_fills_the_text) {
  BoundedText text{{.lines = 9, .bytes = 5}};
  BOOST_TEST(text.add_part_of_line("ab\u20ac\u20ac") == 2U);
  BOOST_TEST(text.is_full());
  BOOST_TEST(text.text() == "ab");
  BoundedText exact{{.lines = 9, .bytes = 6}};
  BOOST_TEST(exact.add_part_of_line("ab\u20ac\u20ac") == 5U);
  BOOST_TEST(exact.text() == "ab\u20ac");
}

BOOST_AUTO_TEST_CASE(notices_stand_below_the_text_even_when_it_is_full) {
  BoundedText text{{.lines = 1, .bytes = 100}};
  BOOST_TEST(text.add_line("a"));
  BOOST_TEST(!text.add_line("b"));
  text.notice("first");
  text.notice("second \xFF");
  BOOST_TEST(text.text() == "a\n[first]\n[second \xEF\xBF\xBD]");
  BoundedText empty;
  empty.notice("alone");
  BOOST_TEST(empty.text() == "[alone]");
}

BOOST_AUTO_TEST_CASE(one_is_singular) {
  BOOST_TEST(counted(0, "entry", "entries") == "0 entries");
  BOOST_TEST(counted(1, "entry", "entries") == "1 entry");
  BOOST_TEST(counted(2, "entry", "entries") == "2 entries");
}
