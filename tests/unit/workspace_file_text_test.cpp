#include "workspace/reading/file_text.hpp"

#define BOOST_TEST_MODULE workspace_file_text_test
#include <fcntl.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <string>
#include <toolwire/error.hpp>
#include <toolwire/system/file_descriptor.hpp>

#include "scratch_folder.hpp"

using toolwire::system::FileDescriptor;
using workspace::file_text;
using workspace::LineRange;
using workspace::TextBudget;

namespace {

constexpr std::uint64_t terabyte = 1ULL << 40;

struct File {
  toolwire_test::ScratchFolder folder;

  std::string text(std::string_view content, const LineRange& range = {}, TextBudget budget = {}) const {
    return text_at(folder.file("file", content).string(), range, budget);
  }

  static std::string text_at(const std::string& path, const LineRange& range = {}, TextBudget budget = {}) {
    const FileDescriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    return file_text(file.get(), range, {}, budget).text;
  }

  std::string refusal(std::string_view content, const LineRange& range) const {
    try {
      return '"' + text(content, range) + '"';
    } catch (const toolwire::ToolError& error) {
      return error.what();
    }
  }
};

std::string numbered_lines(int count) {
  std::string text;
  for (int i = 1; i <= count; ++i) text += "line " + std::to_string(i) + '\n';
  return text;
}

bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_FIXTURE_TEST_CASE(latin1_that_begins_behind_the_start_is_shown_as_it_is, File) {
  const std::string lines = numbered_lines(2000), last = "line 2000";
  BOOST_TEST(says(text(lines + "caf\xE9\n", {.offset = 2000}), last + "\ncaf\u00e9"));
  BOOST_TEST(says(text(lines + "caf\xE9 caf\u00e9\n", {.offset = 2000}), last + "\ncaf\uFFFD caf\u00e9"));
  BOOST_TEST(says(text("caf\xE9\n" + lines + "caf\u00e9\n", {.limit = 1}), "caf\uFFFD"));
}

BOOST_FIXTURE_TEST_CASE(a_small_file_is_shown_whole_and_without_a_notice, File) {
  BOOST_TEST(text("one\n\ntwo\n") == "one\n\ntwo");
  BOOST_TEST(text("no newline at the end") == "no newline at the end");
  BOOST_TEST(text("dos\r\n") == "dos\r");
  BOOST_TEST(text("\n") == "");
  BOOST_TEST(text("") == "[The file is empty.]");
}

BOOST_FIXTURE_TEST_CASE(a_range_is_shown_with_how_to_go_on, File) {
  const std::string five = numbered_lines(5);
  BOOST_TEST(text(five, {.offset = 2, .limit = 2}) ==
             "line 2\nline 3\n[Lines 2 to 3 shown, more follow. Continue with offset 4.]");
  BOOST_TEST(text(five, {.offset = 4, .limit = 2}) == "line 4\nline 5");
  BOOST_TEST(text(five, {.offset = 5}) == "line 5");
}

BOOST_FIXTURE_TEST_CASE(following_the_notices_shows_every_line_once, File) {
  const std::string all = numbered_lines(25);
  std::string collected;
  std::uint64_t next = 1;
  for (int answers = 0; answers < 25 && next != 0; ++answers) {
    const std::string answer = text(all, {.offset = next}, {.lines = 7, .bytes = 50});
    const std::size_t notice = answer.find('[');
    collected += answer.substr(0, notice) + (notice == std::string::npos ? "\n" : "");
    const std::size_t offset = answer.find("offset ");
    next = offset == std::string::npos ? 0 : std::stoull(answer.substr(offset + 7));
  }
  BOOST_TEST(collected == all);
}

BOOST_FIXTURE_TEST_CASE(at_the_budget_nothing_is_said_and_one_over_it_is, File) {
  BOOST_TEST(!says(text(numbered_lines(2000)), "["));
  BOOST_TEST(says(text(numbered_lines(2001)),
                  "\nline 2000\n[Lines 1 to 2000 shown, more follow. Continue with offset 2001.]"));
  const std::string exact = std::string(50 * 1024 - 1, 'x') + '\n';
  BOOST_TEST(text(exact) == exact.substr(0, exact.size() - 1));
  BOOST_TEST(says(text(exact + "y\n"), "Continue with offset 2."));
  BOOST_TEST(says(text("x" + exact), "Line 1 is too long"));
}

BOOST_FIXTURE_TEST_CASE(a_line_larger_than_the_budget_is_continued_by_column, File) {
  const std::string line = "ab\u20accd\u20acef";
  const TextBudget small{.lines = 9, .bytes = 5};
  BOOST_TEST(text(line, {}, small) ==
             "ab\n[Line 1 is too long for one answer: shown from byte 1 to 2. Continue with offset 1 and column 3.]");
  BOOST_TEST(
      text(line, {.column = 3}, small) ==
      "\u20acc\n[Line 1 is too long for one answer: shown from byte 3 to 6. Continue with offset 1 and column 7.]");
  BOOST_TEST(
      text(line, {.column = 7}, small) ==
      "d\u20ac\n[Line 1 is too long for one answer: shown from byte 7 to 10. Continue with offset 1 and column 11.]");
  BOOST_TEST(text(line, {.column = 11}, small) == "ef");
}

BOOST_FIXTURE_TEST_CASE(a_range_behind_the_end_is_refused_with_the_number_of_lines, File) {
  BOOST_TEST(refusal(numbered_lines(3), {.offset = 4}) == "offset: 4 is behind the end; the file has 3 lines");
  BOOST_TEST(refusal("one line", {.offset = 2}) == "offset: 2 is behind the end; the file has 1 line");
  BOOST_TEST(refusal("", {.offset = 2}) == "offset: 2 is behind the end; the file has 0 lines");
  BOOST_TEST(refusal("abc\ndef\n", {.column = 5}) == "column: 5 is behind the end of line 1");
  BOOST_TEST(refusal("abc\ndef\n", {.offset = 2, .column = 9}) == "column: 9 is behind the end of line 2");
  BOOST_TEST(says(refusal("x", {.offset = 0}), "at least 1"));
}

BOOST_FIXTURE_TEST_CASE(binary_files_are_refused, File) {
  BOOST_TEST(says(refusal(std::string("\x7F"
                                      "ELF\0",
                                      5),
                          {}),
                  "is binary"));
  BOOST_TEST(says(refusal(std::string(8191, 'x') + '\0', {}), "is binary"));
  BOOST_TEST(!says(refusal(std::string(8192, 'x') + '\0', {}), "is binary"));
}

BOOST_FIXTURE_TEST_CASE(bytes_that_are_not_utf8_are_replaced, File) {
  BOOST_TEST(text("caf\xE9 \xC0\x80\n") == "caf\xEF\xBF\xBD \xEF\xBF\xBD\xEF\xBF\xBD");
}

BOOST_FIXTURE_TEST_CASE(offsets_far_into_a_file_work, File) {
  BOOST_TEST(text(numbered_lines(100'000), {.offset = 99'999}) == "line 99999\nline 100000");
}

BOOST_FIXTURE_TEST_CASE(a_sparse_terabyte_is_read_within_bounds, File) {
  const auto empty = folder.file("empty");
  std::filesystem::resize_file(empty, terabyte);
  BOOST_CHECK_THROW(text_at(empty.string()), toolwire::ToolError);
  const auto headed = folder.file("headed", "first\n" + std::string(8192, 'x'));
  std::filesystem::resize_file(headed, terabyte);
  BOOST_TEST(says(text_at(headed.string()), "first\n[Lines 1 to 1 shown"));
  BOOST_TEST(text_at(headed.string(), {.offset = 2}).size() < 52U * 1024);
  BOOST_CHECK_EXCEPTION(text_at(headed.string(), {.offset = 3}), toolwire::ToolError,
                        [](const auto& error) { return says(error.what(), "more than 256 MiB"); });
}

BOOST_FIXTURE_TEST_CASE(a_failing_read_is_told, File) {
  BOOST_CHECK_EXCEPTION(text_at(folder.text()), toolwire::ToolError,
                        [](const auto& error) { return says(error.what(), "reading the file failed"); });
}

BOOST_FIXTURE_TEST_CASE(a_stop_request_ends_the_reading, File) {
  const auto path = folder.file("file", "first\n" + std::string(8192, 'x'));
  std::filesystem::resize_file(path, terabyte);
  const FileDescriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  std::stop_source source;
  source.request_stop();
  file_text(file.get(), {}, source.get_token());
  BOOST_TEST(::lseek(file.get(), 0, SEEK_CUR) == 0);
}

BOOST_FIXTURE_TEST_CASE(other_encodings_are_shown_as_utf8, File) {
  using namespace std::string_literals;
  BOOST_TEST(text("caf\xE9\nx\n", {}) == "caf\u00e9\nx");
  BOOST_TEST(text("\xFF\xFE"s + "a\0\n\0\xE9\0"s, {}) == "a\n\u00e9");
  BOOST_TEST(text("\xEF\xBB\xBF"s + "a\n", {}) == "a");
  BOOST_TEST(text("\xFF\xFE"s + "a\0\n\0b\0\n\0"s, {.offset = 2}) == "b");
}
