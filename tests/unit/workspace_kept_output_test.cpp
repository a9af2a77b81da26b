// What is kept and shown of what a command writes.
#include "workspace/commands/kept_output.hpp"

#define BOOST_TEST_MODULE workspace_kept_output_test
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>
#include <toolwire/text.hpp>

using workspace::KeptOutput;
using workspace::shown_output;
using workspace::TextBudget;

namespace {

std::string shown(const std::string& text, TextBudget budget = {}) {
  KeptOutput output;
  output.append(text);
  return shown_output(output.from(0), budget);
}

std::string numbered_lines(int first, int last) {
  std::string text;
  for (int i = first; i <= last; ++i) text += std::to_string(i) + '\n';
  return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_fits_is_shown_as_it_is) {
  BOOST_TEST(shown("") == "");
  BOOST_TEST(shown("one\ttwo\nthree") == "one\ttwo\nthree");
  BOOST_TEST(shown(numbered_lines(1, 2000)) == numbered_lines(1, 2000));
}

BOOST_AUTO_TEST_CASE(a_character_that_has_only_begun_is_known) {
  using workspace::begun_character;
  BOOST_TEST(begun_character("") == 0U);
  BOOST_TEST(begun_character("a") == 0U);
  BOOST_TEST(begun_character("a\xC3") == 1U);
  BOOST_TEST(begun_character("a\xC3\xA4") == 0U);
  BOOST_TEST(begun_character("\xE2\x82") == 2U);
  BOOST_TEST(begun_character("\xE2\x82\xAC") == 0U);
  BOOST_TEST(begun_character("\xF0\x9F\x98") == 3U);
  BOOST_TEST(begun_character("\xF0\x9F\x98\x80") == 0U);
  BOOST_TEST(begun_character("\x80\x80\x80\x80") == 0U);  // no text
  BOOST_TEST(begun_character("\xFF") == 0U);
}

BOOST_AUTO_TEST_CASE(of_much_the_first_and_the_last_lines_are_shown) {
  BOOST_TEST(shown(numbered_lines(1, 10), {4, 1000}) ==
             "1\n2\n[... 12 bytes were left out here, 6 lines ...]\n9\n10\n");
  BOOST_TEST(shown(numbered_lines(1, 10), {1000, 10}) ==
             "1\n2\n[... 12 bytes were left out here, 6 lines ...]\n9\n10\n");
  const std::string one_line(100, 'x');
  BOOST_TEST(shown(one_line, {1000, 10}) == "xxxxx\n[... 90 bytes were left out here, 0 lines ...]\nxxxxx");
}

BOOST_AUTO_TEST_CASE(memory_is_bounded_and_what_is_missing_is_counted) {
  KeptOutput output{10, 20};
  std::string all;
  for (int i = 1; i <= 1000; ++i) {
    const std::string line = std::to_string(i) + '\n';
    output.append(line);
    all += line;
  }
  const KeptOutput::Parts parts = output.from(0);
  BOOST_TEST(output.size() == all.size());
  BOOST_TEST(output.lines() == 1000U);
  BOOST_TEST(parts.before == all.substr(0, 10));
  BOOST_TEST(parts.behind.size() <= 40U);
  BOOST_TEST(parts.behind.size() >= 20U);
  BOOST_TEST(all.ends_with(parts.behind));
  BOOST_TEST(parts.before.size() + parts.missing + parts.behind.size() == all.size());
}

BOOST_AUTO_TEST_CASE(every_offset_gives_what_was_written_from_there) {
  KeptOutput output{10, 20};
  const std::string all = numbered_lines(1, 40);
  for (const char c : all) output.append({&c, 1});
  for (std::size_t offset = 0; offset <= all.size(); ++offset) {
    const KeptOutput::Parts parts = output.from(offset);
    BOOST_TEST(parts.before.size() + parts.missing + parts.behind.size() == all.size() - offset);
    BOOST_TEST(all.substr(offset).starts_with(parts.before));
    BOOST_TEST(all.ends_with(parts.behind));
  }
}

BOOST_AUTO_TEST_CASE(one_large_piece_is_kept_as_many_small_ones_are) {
  KeptOutput output{4, 4};
  output.append("abcdefghijklmnopqrstuvwxyz");
  const KeptOutput::Parts parts = output.from(0);
  BOOST_TEST(parts.before == "abcd");
  BOOST_TEST(parts.behind == "wxyz");
  BOOST_TEST(parts.missing == 18U);
}

BOOST_AUTO_TEST_CASE(what_is_shown_is_valid_and_hides_nothing_from_terminals) {
  BOOST_TEST(shown("a\xFFz\n") == "a\xEF\xBF\xBDz\n");
  BOOST_TEST(shown("\x1B[31mred\x1B[0m \x1B]0;title\x07plain\n") == "red plain\n");
  BOOST_TEST(shown(" 10%\r 50%\r100%\ndone\r\n") == "100%\ndone\n");
  BOOST_TEST(shown("x\xE2\x80\xAEy\n") == "xy\n");
  BOOST_TEST(toolwire::text::is_valid(shown(std::string("\0\xC3", 2))));
  BOOST_TEST(shown("from https://ada:secret1234@example.org/\n").find("secret1234") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_character_is_whole_where_beginning_and_end_meet) {
  KeptOutput output{3, 100};
  output.append("ab\xC3\xA9z");
  BOOST_TEST(shown_output(output.from(0)) == "ab\xC3\xA9z");
}
