#include "workspace/changes/edits.hpp"

#define BOOST_TEST_MODULE workspace_edits_test
#include <boost/test/unit_test.hpp>
#include <string>
#include <toolwire/error.hpp>
#include <vector>

using workspace::apply_edits;
using workspace::TextEdit;

namespace {

std::string edited(std::string_view text, const std::vector<TextEdit>& edits) { return apply_edits(text, edits).text; }

// Why the edits were refused, or what they made of the text in quotes.
std::string refusal(std::string_view text, const std::vector<TextEdit>& edits) {
  try {
    return '"' + edited(text, edits) + '"';
  } catch (const toolwire::ToolError& error) {
    return error.what();
  }
}

bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_CASE(a_unique_text_is_replaced_wherever_it_stands) {
  BOOST_TEST(edited("abc", {{"a", "x"}}) == "xbc");
  BOOST_TEST(edited("abc", {{"c", ""}}) == "ab");
  BOOST_TEST(edited("abc", {{"abc", "z\n"}}) == "z\n");
  BOOST_TEST(edited("one\ntwo\nthree\n", {{"two\nthree", "2\n3\n4"}}) == "one\n2\n3\n4\n");
  BOOST_TEST(apply_edits("one\ntwo\n", {{"two", "2"}}).first_line == 2U);
}

BOOST_AUTO_TEST_CASE(several_edits_are_matched_against_the_original_in_any_order) {
  BOOST_TEST(edited("a b c", {{"c", "a"}, {"a", "c"}}) == "c b a");
  BOOST_TEST(edited("ab", {{"b", "2"}, {"a", "1"}}) == "12");
  BOOST_TEST(says(refusal("a", {{"a", "b"}, {"b", "c"}}), "edits[1].oldText: is not in the file"));
}

BOOST_AUTO_TEST_CASE(a_text_that_stands_there_twice_is_refused_naming_the_lines) {
  const std::string text = refusal("x\ny\nx\n", {{"x", "z"}});
  BOOST_TEST(says(text, "2 times, at lines 1, 3"), text);
  BOOST_TEST(says(refusal("x\nx\nx\nx\nx\nx\nx\n", {{"x", "z"}}), "1, 2, 3, 4, 5, …"));
  BOOST_TEST(edited("x\ny\nx\n", {{"x", "z", true}}) == "z\ny\nz\n");
  BOOST_TEST(apply_edits("aaaa", {{"aa", "b", true}}).places == 2U);
}

BOOST_AUTO_TEST_CASE(places_that_overlap_are_as_many_as_they_are) {
  const std::string text = "{\n  }\n  }\n  }\n";
  BOOST_TEST(says(refusal(text, {{"  }\n  }\n", "  }\n"}}), "2 times, at lines 2, 3"));
  BOOST_TEST(says(refusal("a\r\n}\r\n}\r\n}\r\n", {{"}\n}", "}"}}), "2 times, at lines 2, 3"));
  BOOST_TEST(edited("aaa", {{"aa", "b", true}}) == "ba");
}

BOOST_AUTO_TEST_CASE(overlapping_edits_are_refused_and_touching_ones_are_not) {
  BOOST_TEST(says(refusal("abcd", {{"abc", "1"}, {"cd", "2"}}), "edits[1]: overlaps with edits[0] at line 1"));
  BOOST_TEST(edited("abcd", {{"ab", "1"}, {"cd", "2"}}) == "12");
}

BOOST_AUTO_TEST_CASE(edits_that_mean_nothing_are_refused) {
  BOOST_TEST(says(refusal("a", {}), "edits: is empty"));
  BOOST_TEST(says(refusal("a", {{"", "b"}}), "oldText: is empty"));
  BOOST_TEST(says(refusal("a", {{"a", "a"}}), "would change nothing"));
}

BOOST_AUTO_TEST_CASE(a_text_with_crlf_may_be_named_with_plain_line_ends) {
  BOOST_TEST(edited("a\r\nb\r\nc\r\n", {{"a\nb", "1\n2"}}) == "1\r\n2\r\nc\r\n");
  BOOST_TEST(edited("a\r\nb\r\n", {{"a\r\nb", "x"}}) == "x\r\n");
  BOOST_TEST(says(refusal("a\nb\n", {{"a\r\nb", "x"}}), "not in the file"));
}

BOOST_AUTO_TEST_CASE(a_text_fits_whatever_line_ends_stand_side_by_side) {
  BOOST_TEST(edited("a\r\nb\nc\r\nd\n", {{"a\nb\nc\nd", "1\n2\n3\n4"}}) == "1\r\n2\n3\r\n4\n");
  BOOST_TEST(edited("a\nb\r\nc\nd\r\n", {{"b\nc", "1\n2\n3"}}) == "a\n1\r\n2\r\n3\nd\r\n");
  BOOST_TEST(edited("a\r\nb\n", {{"\nb\n", "\n"}}) == "a\r\n");
  BOOST_TEST(edited("a\r\nb\nc", {{"a\n", ""}, {"\nc", "\n\n"}}) == "b\n\n");
}

BOOST_AUTO_TEST_CASE(lines_that_are_added_end_as_those_around_them) {
  BOOST_TEST(edited("a\r\nb\n", {{"a", "1\n2"}}) == "1\r\n2\r\nb\n");
  BOOST_TEST(edited("a\r\nb\n", {{"b", "1\n2"}}) == "a\r\n1\n2\n");
  BOOST_TEST(edited("a\r\nb", {{"b", "1\n2"}}) == "a\r\n1\r\n2");
  BOOST_TEST(edited("x x\r\nx\n", {{"x", "1\n", true}}) == "1\r\n 1\r\n\r\n1\n\n");
  BOOST_TEST(edited("a\nb\r\n", {{"a", "1\r\n2"}}) == "1\r\n2\nb\r\n");
}

BOOST_AUTO_TEST_CASE(a_text_that_reads_the_same_twice_is_no_less_in_doubt_for_its_line_ends) {
  BOOST_TEST(says(refusal("x\r\ny\nx\ny\n", {{"x\ny", "z"}}), "2 times, at lines 1, 3"));
  BOOST_TEST(edited("x\r\ny\nx\ny\n", {{"x\ny", "1\n2", true}}) == "1\r\n2\n1\n2\n");
  BOOST_TEST(edited("x\r\ny\nx\ny\n", {{"x\r\ny", "z"}}) == "z\nx\ny\n");
}

BOOST_AUTO_TEST_CASE(what_comes_near_is_shown_exactly) {
  const std::string text = refusal("if (x) {\n\treturn  1;\n}\n", {{"if (x) {\n  return  1;\n}", ""}});
  BOOST_TEST(says(text, "from line 1 on the same stands there with other white space"), text);
  BOOST_TEST(says(text, "\n\treturn  1;"), text);
  BOOST_TEST(says(refusal("abc\n", {{"xyz", ""}}), "white space included"));
  BOOST_TEST(!says(refusal("abc\n\n", {{" ", ""}}), "from line"));
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_text_stay_as_they_are) {
  BOOST_TEST(edited("\xFF\x80 a \xC3", {{"a", "b"}}) == "\xFF\x80 b \xC3");
}
