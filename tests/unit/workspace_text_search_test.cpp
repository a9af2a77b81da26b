#include "workspace/search/text_search.hpp"

#define BOOST_TEST_MODULE workspace_text_search_test
#include <fcntl.h>
#include <re2/re2.h>
#include <unistd.h>

#include <array>
#include <boost/test/unit_test.hpp>
#include <random>
#include <string>
#include <toolwire/error.hpp>
#include <toolwire/system/file_descriptor.hpp>
#include <vector>

#include "scratch_folder.hpp"
#include "workspace/text/boundary_matcher.hpp"
#include "workspace/text/expression_words.hpp"

using toolwire::system::FileDescriptor;
using workspace::FileSearch;
using workspace::Found;
using workspace::LineMatch;
using workspace::LinePattern;
using workspace::PatternOptions;
using workspace::TextSearch;

namespace {

using Lines = std::vector<std::string>;

struct File {
  toolwire_test::ScratchFolder folder;
  FileSearch result = {};

  // "number:text" of each matching line.
  Lines search(std::string_view content, std::string_view pattern, PatternOptions options = {}) {
    const auto path = folder.file("file", content);
    return search_at(path.string(), pattern, options);
  }

  std::uint64_t bound = TextSearch::usual_bound;

  Lines search_at(const std::string& path, std::string_view pattern, PatternOptions options = {}) {
    const FileDescriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    const LinePattern compiled{pattern, options};
    Lines lines;
    result = TextSearch{compiled, bound}.run(file.get(), {}, [&](const LineMatch& match) {
      lines.push_back(std::to_string(match.line) + ':' + std::string(match.text.substr(0, 40)));
      return Found::proceed;
    });
    return lines;
  }
};

std::string complaint(std::string_view pattern) {
  try {
    const LinePattern compiled{pattern, {}};
  } catch (const toolwire::ToolError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(matching_lines_come_with_their_numbers, File) {
  BOOST_TEST(search("one\ntwo\n\nthree two\n", "two") == (Lines{"2:two", "4:three two"}));
  BOOST_TEST(search("one", "one") == (Lines{"1:one"}));
  BOOST_TEST(search("", "x").empty());
}

BOOST_FIXTURE_TEST_CASE(a_line_with_several_matches_is_reported_once_at_the_first, File) {
  const auto path = folder.file("file", "a xx xx\n");
  const FileDescriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  const LinePattern pattern{"x+", {}};
  int count = 0;
  TextSearch{pattern}.run(file.get(), {}, [&](const LineMatch& match) {
    ++count;
    BOOST_TEST(match.hit.begin == 2U);
    BOOST_TEST(match.hit.end == 4U);
    return Found::proceed;
  });
  BOOST_TEST(count == 1);
}

BOOST_FIXTURE_TEST_CASE(anchors_mean_the_bounds_of_a_line, File) {
  const std::string text = "foo\nbarfoo\nfoobar\n";
  BOOST_TEST(search(text, "^foo") == (Lines{"1:foo", "3:foobar"}));
  BOOST_TEST(search(text, "foo$") == (Lines{"1:foo", "2:barfoo"}));
  BOOST_TEST(search(text, "^foo$") == (Lines{"1:foo"}));
  BOOST_TEST(search(text, "\\Afoo") == (Lines{"1:foo", "3:foobar"}));
  BOOST_TEST(search(text, "foo\\z") == (Lines{"1:foo", "2:barfoo"}));
  BOOST_TEST(search(text, "(?i-m:^FOO)") == (Lines{"1:foo", "3:foobar"}));
}

BOOST_FIXTURE_TEST_CASE(an_empty_line_can_match_but_there_is_none_behind_the_last_newline, File) {
  BOOST_TEST(search("a\n\nb\n", "^$") == (Lines{"2:"}));
  BOOST_TEST(search("\n\n", "^$") == (Lines{"1:", "2:"}));
  BOOST_TEST(search("a\nb\n", "x*") == (Lines{"1:a", "2:b"}));
  BOOST_TEST(search("a\n", "\\z") == (Lines{"1:a"}));
}

BOOST_FIXTURE_TEST_CASE(no_match_spans_lines, File) {
  BOOST_TEST(search("a\nb\n", "a\\sb").empty());
  BOOST_TEST(search("a\nb\n", "a[^x]b").empty());
  BOOST_TEST(search("a\nb\n", "(?s)a.b").empty());
  BOOST_TEST(search("a\nb\n", "a\\nb").empty());
  BOOST_TEST(search("int x;\nfoo\n", "int[^\\n]*;") == (Lines{"1:int x;"}));
}

BOOST_FIXTURE_TEST_CASE(case_and_literal_text_are_options, File) {
  BOOST_TEST(search("Foo\n", "foo").empty());
  BOOST_TEST(search("Foo\n", "foo", {.ignore_case = true}).size() == 1U);
  BOOST_TEST(search("(?i)Foo\nfoo\n", "(?i)foo").size() == 2U);
  BOOST_TEST(search("a.b\naxb\n", "a.b", {.literal = true}) == (Lines{"1:a.b"}));
  BOOST_TEST(search("\\Q\\\n", "\\Q\\", {.literal = true}).size() == 1U);
}

BOOST_FIXTURE_TEST_CASE(lines_are_found_across_the_chunks_of_a_large_file, File) {
  std::string text;
  Lines expected;
  for (int i = 1; i <= 50'000; ++i) {
    const bool marked = i % 9'973 == 0;
    text += marked ? "needle\n" : "some other text of a line\n";
    if (marked) expected.push_back(std::to_string(i) + ":needle");
  }
  BOOST_TEST(search(text, "^needle$") == expected);
  BOOST_TEST(search(text, "\\Aneedle") == expected);
}

BOOST_FIXTURE_TEST_CASE(a_nul_in_the_first_8_kib_makes_a_file_binary, File) {
  BOOST_TEST(search(std::string("needle\n\0", 8), "needle").empty());
  BOOST_TEST(result.is_binary);
  const std::string head = "needle\n" + std::string(8 * 1024 - 7, 'x');
  BOOST_TEST(search(head + std::string(1, '\0'), "needle").size() == 1U);
  BOOST_TEST(!result.is_binary);
  BOOST_TEST(search(head.substr(1) + std::string(1, '\0'), "eedle").empty());
}

BOOST_FIXTURE_TEST_CASE(a_line_longer_than_the_bound_is_searched_in_pieces_and_reported_once, File) {
  const std::string long_line = "needle" + std::string(3 * TextSearch::max_line, 'x') + "needle";
  const Lines lines = search(long_line + "\nneedle\n", "needle");
  BOOST_REQUIRE(lines.size() == 2U);
  BOOST_TEST(lines[0].starts_with("1:needlex"));
  BOOST_TEST(lines[1] == "2:needle");
  BOOST_TEST(result.has_split_line);
}

BOOST_FIXTURE_TEST_CASE(of_a_sparse_terabyte_only_the_first_part_is_searched, File) {
  const auto path = folder.file("file", "needle\n" + std::string(8192, 'x') + '\n');
  std::filesystem::resize_file(path, 1ULL << 40);
  bound = 1ULL << 20;
  BOOST_TEST(search_at(path.string(), "needle") == (Lines{"1:needle"}));
  BOOST_TEST(result.was_cut);
}

BOOST_FIXTURE_TEST_CASE(a_file_of_just_the_bound_is_searched_to_its_end, File) {
  const auto path = folder.file("file", std::string(8192, 'x') + '\n');
  bound = 100'000;
  std::filesystem::resize_file(path, bound);
  search_at(path.string(), "needle");
  BOOST_TEST(!result.was_cut);
  std::filesystem::resize_file(path, bound + 1);
  search_at(path.string(), "needle");
  BOOST_TEST(result.was_cut);
}

BOOST_FIXTURE_TEST_CASE(what_is_no_regular_file_is_not_read, File) {
  for (const std::string& path : {folder.text(), std::string("/dev/zero")}) {
    BOOST_TEST(search_at(path, "x").empty());
    BOOST_TEST(result.is_special);
  }
}

BOOST_FIXTURE_TEST_CASE(a_failing_read_is_told, File) {
  search_at("/proc/self/mem", "x");  // at 0, where no process has memory
  BOOST_TEST(result.error == EIO);
}

BOOST_FIXTURE_TEST_CASE(the_callback_and_a_stop_request_end_the_search, File) {
  const auto path = folder.file("file", "x\nx\nx\n");
  const LinePattern pattern{"x", {}};
  TextSearch search{pattern};
  int count = 0;
  const FileDescriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  search.run(file.get(), {}, [&](const LineMatch&) { return ++count == 2 ? Found::enough : Found::proceed; });
  BOOST_TEST(count == 2);
  std::stop_source source;
  source.request_stop();
  BOOST_REQUIRE(::lseek(file.get(), 0, SEEK_SET) == 0);
  search.run(file.get(), source.get_token(), [&](const LineMatch&) {
    BOOST_ERROR("a match after the stop request");
    return Found::proceed;
  });
  BOOST_REQUIRE(::lseek(file.get(), 0, SEEK_SET) == 0);
  search.run(file.get(), {}, [&](const LineMatch&) { return ++count, Found::proceed; });
  BOOST_TEST(count == 5);
}

BOOST_AUTO_TEST_CASE(an_expression_that_cannot_be_used_is_refused_with_the_reason) {
  for (const auto& [pattern, reason] : {std::pair{"(foo", "missing )"},
                                        {"a(?=b)", "(?="},
                                        {"(a)\\1", "\\1"},
                                        {"*", "*"},
                                        {"a{1001}", "{1001}"},
                                        {"[z-a]", "z-a"},
                                        {"", "is empty"},
                                        {"a\nb", "newline"},
                                        {"\xFF", "UTF-8"}}) {
    BOOST_TEST(complaint(pattern).starts_with("pattern: "), pattern);
    BOOST_TEST(complaint(pattern).find(reason) != std::string::npos, complaint(pattern));
    BOOST_TEST(complaint(pattern).find("expected an RE2 regular expression") != std::string::npos);
    BOOST_TEST(complaint(pattern).find("(?m)") == std::string::npos);
  }
  BOOST_TEST(complaint("foo(").starts_with("pattern: cannot be parsed: missing ): foo(;"));
  BOOST_TEST(complaint("\\w{1000}").empty());
  BOOST_TEST(complaint(std::string(4097, 'a')).find("longer than 4096") != std::string::npos);
  BOOST_TEST(complaint("((\\pL{100}){10}){10}").find("expected an RE2") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(patterns_that_make_backtracking_explode_are_answered, File) {
  const std::string text = std::string(20'000, 'a') + '\n';
  BOOST_TEST(search(text, "(a*)*b").empty());
  BOOST_TEST(search(text, "(a|aa)+$").size() == 1U);
  BOOST_TEST(search(text, "(x+x+)+y").empty());
  BOOST_TEST(search(text, "(.*a){12}b").empty());
}

BOOST_FIXTURE_TEST_CASE(a_carriage_return_before_the_newline_is_the_end_of_the_line, File) {
  BOOST_TEST(search("a;\r\n\r\nb\r\n", ";$") == (Lines{"1:a;"}));
  BOOST_TEST(search("a;\r\n\r\nb\r\n", "^$") == (Lines{"2:"}));
  BOOST_TEST(search("a;\r\n\r\nb\r\n", "\\Ab\\z") == (Lines{"3:b"}));
  BOOST_TEST(search("a\rb\r\nc\r", "\\r").size() == 2U);  // what speaks of them sees all of them
  BOOST_TEST(search("a\r\nb\n", "\\r$") == (Lines{"1:a\r"}));
  BOOST_TEST(search("a\r\nb\n", "\r", {.literal = true}) == (Lines{"1:a\r"}));
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += i % 20'000 == 7 ? "needle\r\n" : "some other text\r\n";
  BOOST_TEST(search(text, "^needle$") == (Lines{"8:needle", "20008:needle", "40008:needle"}));
}

BOOST_FIXTURE_TEST_CASE(a_match_across_lines_is_reported_line_by_line, File) {
  const PatternOptions across{.multiline = true};
  BOOST_TEST(search("x\na\nba\nb\n", "a\\nb", across) == (Lines{"2:a", "3:ba", "4:b"}));
  BOOST_TEST(search("a\n\nb\n", "^$", across) == (Lines{"2:"}));
  BOOST_TEST(search("a\n\n", "x*", across) == (Lines{"1:a", "2:"}));
  BOOST_TEST(search("a\nb", "\\n", across) == (Lines{"1:a"}));
  BOOST_TEST(search("", "x*", across).empty());
  BOOST_TEST(search("a\nb\n", "(?s)a.b", across).size() == 2U);
  BOOST_TEST(search("a\nb\n", "a.b", across).empty());
  BOOST_TEST(search("one\ntwo\nthree\n", "\\Aone\\s+two", across).size() == 2U);
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += i % 20'000 == 7 ? "begin\nend\n" : "some other text\n";
  BOOST_TEST(search(text, "begin\\nend", across) ==
             (Lines{"8:begin", "9:end", "20009:begin", "20010:end", "40010:begin", "40011:end"}));
}

BOOST_FIXTURE_TEST_CASE(across_lines_only_the_first_16_mib_are_searched, File) {
  const auto path = folder.file("file", "a\nb\n" + std::string(8192, 'x') + '\n');
  std::filesystem::resize_file(path, TextSearch::whole_bound);
  BOOST_TEST(search_at(path.string(), "a\\nb", {.multiline = true}).size() == 2U);
  BOOST_TEST(!result.was_cut);
  std::filesystem::resize_file(path, TextSearch::whole_bound + 1);
  BOOST_TEST(search_at(path.string(), "a\\nb", {.multiline = true}).size() == 2U);
  BOOST_TEST(result.was_cut);
}

BOOST_FIXTURE_TEST_CASE(across_lines_backtracking_does_not_explode, File) {
  const std::string text = std::string(20'000, 'a') + '\n';
  BOOST_TEST(search(text, "(?s)(a*)*b", {.multiline = true}).empty());
  BOOST_TEST(search(text, "(x+x+)+y", {.multiline = true}).empty());
}

BOOST_FIXTURE_TEST_CASE(words_are_of_any_language_and_bytes_that_are_no_text_match_nothing, File) {
  BOOST_TEST(search("caf\u00e9\n", "caf\\b").empty());
  BOOST_TEST(search("caf\u00e9\n", "caf\\w").size() == 1U);
  BOOST_TEST(search("-\u00dcber-\nvor\u00dcber\n", "\\b\u00dcber\\b") == (Lines{"1:-\u00dcber-"}));
  BOOST_TEST(search("a\u00a0b\na\vb\n", "a\\sb").size() == 2U);
  BOOST_TEST(search("\u00e4\n", "\\C\\C", {}).size() == 1U);
  BOOST_TEST(complaint("\\b\\C").find("cannot stand in one expression") != std::string::npos);
  BOOST_TEST(search("caf\u00e9\n", "caf\\pL$").size() == 1U);
  BOOST_TEST(search("CAF\u00c9\n", "caf\u00e9", {.ignore_case = true}).size() == 1U);
  const std::string damaged = std::string(8192, '-') + "\ncaf\xE9 \u00e9\n";
  BOOST_TEST(search(damaged, "caf") == (Lines{"2:caf\xE9 \u00e9"}));
  BOOST_TEST(search(damaged, "caf. ").empty());
}

BOOST_FIXTURE_TEST_CASE(bounds_of_words_are_seen_across_lines_and_in_long_texts, File) {
  const PatternOptions across{.multiline = true};
  BOOST_TEST(search("x\u00e4\n\u00e4 b\n", "\u00e4\\b\\n\\b\u00e4\\b", across).size() == 2U);
  BOOST_TEST(search("x\u00e4\n\u00e4b\n", "\u00e4\\b\\n\\b\u00e4\\b", across).empty());
  std::string text;
  Lines expected;
  for (int i = 1; i <= 50'000; ++i) {
    const bool marked = i % 9'973 == 0;
    text += marked        ? "eine n\u00e4del;\n"
            : i % 50 == 0 ? "n\u00e4deln, stopfn\u00e4del\n"
                          : "some other text of a line\n";
    if (marked) expected.push_back(std::to_string(i) + ":eine n\u00e4del;");
  }
  BOOST_TEST(search(text, "\\bn.del\\b") == expected);
  BOOST_TEST(search(text, "\\bn\u00e4del\\b") == expected);
  const std::string hostile = std::string(20'000, 'a') + "\u00e4\n";
  BOOST_TEST(search(hostile, "\\b(a*)*b\\b").empty());
  BOOST_TEST(search(hostile, "\\b(.*a){12}b\\b").empty());
}

// Where all is ASCII, RE2's own \\b means the same, so match and groups must be too.
BOOST_AUTO_TEST_CASE(the_matcher_of_bounds_agrees_with_re2_on_random_expressions) {
  constexpr std::array parts{"\\b",    "\\B", "a",   "b",    "_",    ".",    "*",     "+",     "?",        "|",
                             "(",      ")",   "(?:", "(?i)", "\\pL", "[ab]", "[^a]",  "\\x41", "\\Qa.\\E", "(?P<n>",
                             "(?-m:^", "\\A", "\\z", "^",    "$",    "*?",   "{1,2}", "(a|b)*"};
  constexpr std::string_view letters = "aAb_ -\n";
  std::mt19937 random{7};
  re2::RE2::Options quiet;
  quiet.set_log_errors(false);
  int compared = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string expression = "(?m)";
    for (auto left = random() % 7 + 1; left > 0; --left) expression += parts[random() % parts.size()];
    const re2::RE2 whole{expression, quiet};
    const re2::RE2 loose{workspace::for_unicode(expression, false), quiet};
    if (!whole.ok() || !loose.ok()) continue;
    const workspace::BoundaryMatcher matcher{expression, false, loose};
    std::string text;
    for (auto left = random() % 9; left > 0; --left) text += letters[random() % letters.size()];
    std::vector<re2::StringPiece> theirs(static_cast<std::size_t>(whole.NumberOfCapturingGroups()) + 1);
    std::vector<re2::StringPiece> ours(theirs.size());
    const bool matches =
        whole.Match(text, 0, text.size(), re2::RE2::UNANCHORED, theirs.data(), static_cast<int>(theirs.size()));
    BOOST_REQUIRE_MESSAGE(matcher.match(text, 0, ours) == matches, expression + " on " + text);
    BOOST_REQUIRE_MESSAGE(!matches || (ours == theirs && ours[0].data() == theirs[0].data()),
                          expression + " on " + text);
    ++compared;
  }
  BOOST_TEST(compared > 3'000);
}

BOOST_FIXTURE_TEST_CASE(a_byte_order_mark_is_no_part_of_the_first_line, File) {
  BOOST_TEST(search("\xEF\xBB\xBFone\n", "^one$") == (Lines{"1:one"}));
  BOOST_TEST(search("\xEF\xBB\xBF", "^$").empty());
  BOOST_TEST(search("\xEF\xBB\xBF" + std::string(200'000, 'x') + "\nneedle\n", "^needle").size() == 1U);
  BOOST_TEST(search(std::string("\xFF\xFEo\0k\0", 6), "^ok$") == (Lines{"1:ok"}));
  BOOST_TEST(search("\xFF\xFE", "x*").empty());
}
