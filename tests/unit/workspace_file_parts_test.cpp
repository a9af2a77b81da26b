#include "workspace/reading/file_parts.hpp"

#define BOOST_TEST_MODULE workspace_file_parts_test
#include <fcntl.h>

#include <boost/test/unit_test.hpp>
#include <string>
#include <toolwire/error.hpp>
#include <toolwire/system/file_descriptor.hpp>
#include <toolwire/text.hpp>

#include "scratch_folder.hpp"

using namespace std::string_literals;
using toolwire::system::FileDescriptor;
using workspace::FileText;
using workspace::TextBudget;

namespace {

struct File {
  toolwire_test::ScratchFolder folder{toolwire_test::ScratchFolder::in_memory()};

  FileDescriptor open(std::string_view content) const {
    return FileDescriptor{::open(folder.file("file", content).c_str(), O_RDONLY | O_CLOEXEC)};
  }
  FileText tail(std::string_view content, std::uint64_t count, TextBudget budget = {}) const {
    return workspace::file_tail(open(content).get(), {count}, {}, budget);
  }
  FileText bytes(std::string_view content, std::uint64_t offset, std::uint64_t limit, TextBudget budget = {}) const {
    return workspace::file_bytes_text(open(content).get(), offset, limit, budget);
  }
};

bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_FIXTURE_TEST_CASE(the_last_lines_are_shown_with_their_numbers, File) {
  const FileText two = tail("1\n2\n3\n", 2);
  BOOST_TEST(two.lines == "2\n3");
  BOOST_TEST(two.first_line.value() == 2U);
  BOOST_TEST(two.last_line.value() == 3U);
  BOOST_TEST(says(two.text, "[Lines 2 to 3 shown, the end of the file."));
  BOOST_TEST(tail("1\n2\n3", 2).lines == "2\n3");
  BOOST_TEST(tail("1\n2\n", 9).text == "1\n2");
  BOOST_TEST(tail("\n\n", 1).lines == "");
  BOOST_TEST(tail("", 1).text == "[The file is empty.]");
  BOOST_TEST(tail("\xFF\xFE"s + "a\0\n\0b\0"s, 1).lines == "b");
}

BOOST_FIXTURE_TEST_CASE(a_tail_in_latin1_is_shown_as_it_is, File) {
  const FileText last = tail(std::string(20'000, '\n') + "caf\xE9\n", 1);
  BOOST_TEST(last.lines == "caf\u00e9");
  BOOST_TEST(last.first_line.value() == 20'001U);
}

BOOST_AUTO_TEST_CASE(what_the_kernel_writes_has_a_tail_though_it_has_no_size) {
  const FileDescriptor file{::open("/proc/self/status", O_RDONLY | O_CLOEXEC)};
  const FileText last = workspace::file_tail(file.get(), {1}, {});
  BOOST_TEST(says(last.lines, "nonvoluntary_ctxt_switches"), last.text);
}

BOOST_FIXTURE_TEST_CASE(a_tail_begins_behind_the_byte_order_mark, File) {
  const std::string mark = "\xEF\xBB\xBF", line(98, 'x');
  BOOST_TEST(tail(mark + "1\n2\n", 9).text == "1\n2");
  BOOST_TEST(tail(mark + "1\n2\n", 1).lines == "2");
  BOOST_TEST(tail(mark, 1).text == "[The file is empty.]");
  BOOST_TEST(tail(mark + line + '\n', 1, {.lines = 9, .bytes = 100}).text == line);
}

BOOST_FIXTURE_TEST_CASE(a_tail_near_the_budget_at_it_and_over_it_keeps_whole_lines, File) {
  std::string content;
  for (int i = 10; i < 30; ++i) content += std::to_string(i) + '\n';
  BOOST_TEST(tail(content, 3, {.lines = 9, .bytes = 10}).lines == "27\n28\n29");
  BOOST_TEST(tail(content, 4, {.lines = 9, .bytes = 10}).lines == "27\n28\n29");
  BOOST_TEST(says(tail(content, 4, {.lines = 9, .bytes = 10}).text, "Not all of these lines fit"));
  BOOST_TEST(tail(content, 9, {.lines = 2, .bytes = 100}).lines == "28\n29");
  BOOST_TEST(tail(content, 20, {.lines = 99, .bytes = 61}).lines.size() == 59U);
  BOOST_TEST(!says(tail(content, 20, {.lines = 99, .bytes = 61}).text, "["));
}

BOOST_FIXTURE_TEST_CASE(of_a_last_line_larger_than_the_budget_the_end_is_shown_between_characters, File) {
  for (std::size_t shift = 0; shift < 4; ++shift) {
    std::string content = "first\n" + std::string(shift, 'x');
    for (int i = 0; i < 100; ++i) content += "\u20ac";
    const FileText end = tail(content, 1, {.lines = 9, .bytes = 50});
    BOOST_TEST(end.lines.size() <= 50U);
    BOOST_TEST(end.lines.size() >= 45U);
    BOOST_TEST(end.lines.starts_with("\u20ac"));
    BOOST_TEST(toolwire::text::is_valid(end.text));
    BOOST_TEST(says(end.text, "only its end is shown"));
  }
}

BOOST_FIXTURE_TEST_CASE(bytes_of_a_text_are_shown_as_text_and_lead_on, File) {
  const FileText part = bytes("0123456789", 2, 3);
  BOOST_TEST(part.lines == "234");
  BOOST_TEST(part.next_offset.value() == 5U);
  BOOST_TEST(says(part.text, "[Bytes 2 to 4 of 10 shown. Continue with byteOffset 5.]"));
  BOOST_TEST(bytes("0123456789", 5, 99).text == "56789");
  BOOST_CHECK_THROW(bytes("0123", 4, 1), toolwire::ToolError);
}

BOOST_FIXTURE_TEST_CASE(following_the_byte_offsets_shows_a_text_once, File) {
  std::string content, collected;
  for (int i = 0; i < 100; ++i) content += "\u20ac\U0001F600x";
  for (std::uint64_t at = 0; at < content.size();) {
    const FileText part = bytes(content, at, 999, {.lines = 9, .bytes = 37});
    collected += part.lines;
    if (!part.next_offset) break;
    BOOST_REQUIRE(*part.next_offset > at);
    at = *part.next_offset;
  }
  BOOST_TEST(collected == content);
}

BOOST_FIXTURE_TEST_CASE(bytes_that_are_no_text_are_shown_in_rows, File) {
  const FileText rows = bytes(
      "\x7f"
      "ELF\0\1\2\3\4\5\6\7\xFF\xFE\xFD\xFC!"s,
      0, 99);
  BOOST_TEST(rows.lines ==
             "00000000  7f 45 4c 46 00 01 02 03 04 05 06 07 ff fe fd fc  .ELF............\n"
             "00000010  21                                               !");
  BOOST_TEST(bytes(std::string(100, '\0'), 0, 999, {.lines = 2, .bytes = 1000}).next_offset.value() == 32U);
}
