#include "workspace/search/report.hpp"

#define BOOST_TEST_MODULE workspace_search_report_test
#include <sys/stat.h>

#include <boost/test/unit_test.hpp>
#include <string>
#include <toolwire/error.hpp>
#include <toolwire/text.hpp>
#include <vector>

#include "scratch_folder.hpp"

using workspace::Root;
using workspace::Roots;
using workspace::SearchOutput;
using workspace::SearchRequest;
using workspace::TextBudget;

namespace {

struct Tree {
  toolwire_test::ScratchFolder folder;
  Roots roots{Root::at(folder.text())};

  std::string search(const SearchRequest& request, TextBudget budget = {}) const {
    return workspace::search(roots, request, {}, {}, budget).text;
  }
};

bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_FIXTURE_TEST_CASE(matches_are_shown_by_path_and_line_in_order, Tree) {
  folder.file("b.txt", "needle\n");
  folder.file("a/x.txt", "hay\nneedle 1\r\nneedle 2\n");
  BOOST_TEST(search({.pattern = "needle"}) == "a/x.txt:2: needle 1\na/x.txt:3: needle 2\nb.txt:1: needle");
}

BOOST_FIXTURE_TEST_CASE(path_and_glob_narrow_the_search, Tree) {
  for (const char* name : {"a/x.cpp", "a/x.txt", "b/x.cpp"}) folder.file(name, "needle\n");
  BOOST_TEST(search({.pattern = "needle", .path = "a"}) == "a/x.cpp:1: needle\na/x.txt:1: needle");
  BOOST_TEST(search({.pattern = "needle", .names = {.glob = "*.cpp"}}) == "a/x.cpp:1: needle\nb/x.cpp:1: needle");
  BOOST_TEST(search({.pattern = "needle", .names = {.glob = "b/**"}}) == "b/x.cpp:1: needle");
  BOOST_TEST(search({.pattern = "needle", .path = "a/x.txt"}) == "a/x.txt:1: needle");
}

BOOST_FIXTURE_TEST_CASE(no_match_says_how_much_was_searched, Tree) {
  BOOST_TEST(search({.pattern = "x"}) == "[No match in 0 files.]");
  folder.file("a", "hay\n");
  BOOST_TEST(search({.pattern = "needle"}) == "[No match in 1 file.]");
  BOOST_TEST(says(search({.pattern = "hay\\nhay"}), "line by line"));
}

BOOST_FIXTURE_TEST_CASE(a_glob_written_from_the_path_instead_of_the_root_is_explained, Tree) {
  folder.file("a/b/x.cpp", "needle\n");
  const auto explains = [&](const std::string& glob, const std::string& pattern) {
    return says(search({.pattern = pattern, .path = "a", .names = {.glob = glob}}), "whole path from the root");
  };
  BOOST_TEST(explains("b/*.cpp", "needle"));
  BOOST_TEST(!explains("a/b/*.cpp", "needle"));
  BOOST_TEST(!explains("a/b/*.cpp", "hay"));
  BOOST_TEST(!explains("*.hpp", "needle"));
}

BOOST_FIXTURE_TEST_CASE(the_repository_folder_links_and_special_files_are_not_searched, Tree) {
  const toolwire_test::ScratchFolder outside;
  outside.file("secret", "needle\n");
  folder.file(".git/config", "needle\n");
  folder.link(outside / "secret", "link");
  folder.link(outside.path(), "linked_dir");
  BOOST_REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  BOOST_TEST(search({.pattern = "needle"}) == "[No match in 0 files.]");
  BOOST_CHECK_THROW(search({.pattern = "needle", .path = "link"}), toolwire::ToolError);
  BOOST_CHECK_THROW(search({.pattern = "needle", .path = "linked_dir"}), toolwire::ToolError);
  BOOST_CHECK_THROW(search({.pattern = "needle", .path = "pipe"}), toolwire::ToolError);
}

BOOST_FIXTURE_TEST_CASE(binary_files_are_left_out_and_that_is_said, Tree) {
  folder.file("a", std::string("needle\0", 7));
  folder.file("b", "needle\n");
  BOOST_TEST(search({.pattern = "needle"}) == "b:1: needle\n[Left out: 1 binary file.]");
}

BOOST_FIXTURE_TEST_CASE(at_the_limit_nothing_is_said_and_one_over_it_is, Tree) {
  folder.file("a", "x\nx\n");
  BOOST_TEST(search({.pattern = "x", .limit = 2}) == "a:1: x\na:2: x");
  BOOST_TEST(search({.pattern = "x", .limit = 1}) ==
             "a:1: x\n[More matches follow. Continue with cursor: a:1, or narrow with pattern, path or glob.]");
  BOOST_CHECK_THROW(search({.pattern = "x", .limit = 0}), toolwire::ToolError);
}

BOOST_FIXTURE_TEST_CASE(following_the_notices_shows_every_match_once, Tree) {
  folder.file("a/1", "x\nx\n-\nx\n");
  folder.file("a.b:7", "x\n");
  folder.file("c", "x\nx\n");
  const std::string all = search({.pattern = "x"});
  std::string collected;
  std::string cursor;
  for (int answers = 0; answers < 20; ++answers) {
    const std::string answer = search({.pattern = "x", .cursor = cursor}, {.lines = 1, .bytes = 1000});
    const std::size_t notice = answer.find("[More matches follow. Continue with cursor: ");
    collected += answer.substr(0, notice);
    if (notice == std::string::npos) break;
    cursor = answer.substr(notice + 44, answer.find(", or narrow", notice) - notice - 44);
  }
  BOOST_TEST(collected == all);
  BOOST_TEST(search({.pattern = "x", .cursor = "c:2"}) == "[No further match in 1 file.]");
}

BOOST_FIXTURE_TEST_CASE(going_on_within_one_file_starts_behind_the_line, Tree) {
  folder.file("a", "x\nx\nx\n");
  BOOST_TEST(search({.pattern = "x", .path = "a", .cursor = "a:2"}) == "a:3: x");
}

BOOST_FIXTURE_TEST_CASE(a_position_to_go_on_from_must_be_one, Tree) {
  for (const char* cursor : {"a", "a:", ":3", "a:x", "a:3x", "a:-1"}) {
    BOOST_CHECK_EXCEPTION(search({.pattern = "x", .cursor = cursor}), toolwire::ToolError,
                          [](const auto& error) { return says(error.what(), "cursor: expected \"path:line\""); });
  }
}

BOOST_FIXTURE_TEST_CASE(a_long_line_is_shown_around_its_match, Tree) {
  folder.file("a", std::string(5000, '<') + "needle" + std::string(5000, '>') + '\n');
  const std::string text = search({.pattern = "needle"});
  BOOST_TEST(says(text, "a:1: ...<<<"));
  BOOST_TEST(says(text, "<needle>"));
  BOOST_TEST(says(text, ">>>...\n[Long lines are shown in part"));
  BOOST_TEST(text.size() < 700U);
}

BOOST_FIXTURE_TEST_CASE(a_long_line_is_cut_between_characters, Tree) {
  for (std::size_t shift = 0; shift < 4; ++shift) {
    std::string line(shift, 'x');
    for (int i = 0; i < 300; ++i) line += "\u20ac";
    line += "needle";
    for (int i = 0; i < 300; ++i) line += "\U0001F600";
    folder.file("a", line + '\n');
    const std::string text = search({.pattern = "needle"});
    BOOST_TEST(toolwire::text::is_valid(text));
    BOOST_TEST(!says(text, "\xEF\xBF\xBD"));
  }
}

BOOST_FIXTURE_TEST_CASE(a_line_of_just_the_bound_is_shown_whole, Tree) {
  folder.file("a", std::string(400, 'x') + "\r\n");
  BOOST_TEST(search({.pattern = "x"}) == "a:1: " + std::string(400, 'x'));
}

BOOST_FIXTURE_TEST_CASE(what_was_searched_in_part_is_said, Tree) {
  folder.file("a", "needle\n" + std::string((1U << 20) + 100'000, 'x') + '\n');
  BOOST_TEST(says(search({.pattern = "needle"}), "searched in pieces"));
}

BOOST_FIXTURE_TEST_CASE(credentials_stay_hidden_where_a_long_line_is_searched_in_pieces, Tree) {
  const Roots hiding{Root::at(folder.text(), workspace::Secrets::left_out)};
  const std::string address = " https://anna:hidden123@git.example.net/x there ";
  const auto find = [&](const char* pattern) { return workspace::search(hiding, {.pattern = pattern}, {}, {}).text; };
  constexpr std::size_t most = std::size_t{1} << 20;
  for (const std::size_t end : {most, most - 4096 - 64}) {
    for (std::size_t before = 0; before < address.size(); before += 3) {
      folder.file("a", std::string(end - before, 'a') + address + std::string(300'000, 'b') + '\n');
      BOOST_TEST(!says(find("hidden123"), "a:1:"), before);
      BOOST_TEST(!says(find("[a-z]+[0-9]+"), "a:1:"), before);
      BOOST_TEST(!says(find("a{20}"), "hidden"), before);
    }
  }
}

BOOST_FIXTURE_TEST_CASE(odd_names_stay_on_one_line, Tree) {
  folder.file("a\nb", "needle\n");
  BOOST_TEST(search({.pattern = "needle"}) == "a\\u{A}b:1: needle");
}

BOOST_FIXTURE_TEST_CASE(progress_is_told_and_a_stop_request_ends_the_search, Tree) {
  for (int i = 0; i < 600; ++i) folder.file("f" + std::to_string(i), "x\n");
  std::vector<std::uint64_t> told;
  workspace::search(roots, {.pattern = "y"}, {}, [&](std::uint64_t files) { told.push_back(files); });
  BOOST_TEST(told == (std::vector<std::uint64_t>{256, 512}));
  std::stop_source source;
  const auto stop = [&](std::uint64_t) { source.request_stop(); };
  const std::string text = workspace::search(roots, {.pattern = "y"}, source.get_token(), stop).text;
  BOOST_TEST(text == "[No match in 256 files.]\n[The search was stopped before it was done.]");
}

BOOST_FIXTURE_TEST_CASE(bad_arguments_are_refused_by_name, Tree) {
  for (const auto& [request, name] : {std::pair<SearchRequest, std::string>{{.pattern = "("}, "pattern: "},
                                      {{.pattern = "x", .names = {.glob = "["}}, "glob: "},
                                      {{.pattern = "x", .path = "/etc"}, "path: "},
                                      {{.pattern = "x", .path = "nothing"}, "path: "}}) {
    BOOST_CHECK_EXCEPTION(search(request), toolwire::ToolError,
                          [&name = name](const auto& error) { return std::string(error.what()).starts_with(name); });
  }
}

BOOST_FIXTURE_TEST_CASE(context_stands_around_each_match_and_gaps_are_marked, Tree) {
  folder.file("a", "1\n2\nx3\n4\n5\n6\nx7\nx8\n9\n");
  folder.file("b", "x1\n");
  BOOST_TEST(search({.pattern = "x", .before = 1, .after = 1}) ==
             "a-2- 2\na:3: x3\na-4- 4\n--\na-6- 6\na:7: x7\na:8: x8\na-9- 9\n--\nb:1: x1");
  BOOST_TEST(search({.pattern = "x3", .before = 20, .after = 20}) ==
             "a-1- 1\na-2- 2\na:3: x3\na-4- 4\na-5- 5\na-6- 6\na-7- x7\na-8- x8\na-9- 9");
}

BOOST_FIXTURE_TEST_CASE(no_context_stands_before_a_match_that_is_not_shown, Tree) {
  folder.file("a", "1\nx2\n3\n4\n5\nx6\n");
  folder.file("b", "1\nx2\n");
  const std::string first = search({.pattern = "x", .before = 1, .after = 1, .limit = 1});
  BOOST_TEST(first.starts_with("a-1- 1\na:2: x2\na-3- 3\n[More matches follow."), first);
  const std::string both = search({.pattern = "x", .before = 1, .after = 1, .limit = 2});
  BOOST_TEST(both.starts_with("a-1- 1\na:2: x2\na-3- 3\n--\na-5- 5\na:6: x6\n[More matches follow."), both);
}

BOOST_FIXTURE_TEST_CASE(counts_and_files_can_be_asked_for, Tree) {
  folder.file("a", "x\ny\nx\n");
  folder.file("b", "y\n");
  folder.file("c", "x\n");
  BOOST_TEST(search({.pattern = "x", .output = SearchOutput::count}) == "a: 2\nc: 1");
  BOOST_TEST(search({.pattern = "x", .output = SearchOutput::files}) == "a\nc");
  BOOST_TEST(says(search({.pattern = "x", .output = SearchOutput::files, .limit = 1}),
                  "a\n[More matches follow. Continue with cursor: a,"));
  BOOST_TEST(search({.pattern = "x", .output = SearchOutput::files, .cursor = "a"}) == "c");
}

BOOST_FIXTURE_TEST_CASE(what_git_passes_over_is_left_out_when_that_is_wished, Tree) {
  folder.file(".gitignore", "*.log\nbuild/\n");
  folder.file("a.log", "x\n");
  folder.file("build/b", "x\n");
  folder.file("c", "x\n");
  BOOST_TEST(search({.pattern = "x", .include_ignored = false}) ==
             "c:1: x\n[Left out: 2 entries that a .gitignore names; includeIgnored shows them.]");
  BOOST_TEST(search({.pattern = "x"}) == "a.log:1: x\nbuild/b:1: x\nc:1: x");
}

BOOST_FIXTURE_TEST_CASE(the_answer_is_the_same_whatever_the_number_of_threads, Tree) {
  for (int i = 0; i < 500; ++i) {
    std::string text;
    for (int line = 0; line < i % 7; ++line) text += line % 2 == 0 ? "x\n" : "y\n";
    folder.file("d" + std::to_string(i % 13) + "/f" + std::to_string(i), text);
  }
  for (const std::uint64_t limit : {1U, 100U, 2000U}) {
    const std::string alone = search({.pattern = "x", .limit = limit, .threads = 1});
    for (int run = 0; run < 5; ++run) BOOST_TEST(search({.pattern = "x", .limit = limit, .threads = 4}) == alone);
  }
}

BOOST_FIXTURE_TEST_CASE(several_roots_are_searched_as_one_tree, Tree) {
  folder.file("one/f", "x\n");
  folder.file("two/f", "x\nx\n");
  const Roots both =
      Roots::from({(folder / "one").string(), "b=" + (folder / "two").string()}, workspace::Secrets::shown);
  const auto find = [&](const SearchRequest& request) { return workspace::search(both, request, {}, {}).text; };
  BOOST_TEST(find({.pattern = "x"}) == "b/f:1: x\nb/f:2: x\none/f:1: x");
  BOOST_TEST(find({.pattern = "x", .path = "one"}) == "one/f:1: x");
  BOOST_TEST(says(find({.pattern = "x", .names = {.glob = "one/*"}}), "from a root, without that root's name.]"));
  BOOST_TEST(find({.pattern = "x", .cursor = "b/f:1"}) == "b/f:2: x\none/f:1: x");
  BOOST_TEST(find({.pattern = "x", .cursor = "one/f:1"}) == "[No further match in 1 file.]");
}

BOOST_FIXTURE_TEST_CASE(lines_before_and_behind_are_chosen_apart, Tree) {
  folder.file("a", "1\n2\nx\n4\n5\n");
  BOOST_TEST(search({.pattern = "x", .before = 1}) == "a-2- 2\na:3: x");
  BOOST_TEST(search({.pattern = "x", .after = 2}) == "a:3: x\na-4- 4\na-5- 5");
}

BOOST_FIXTURE_TEST_CASE(matches_may_span_lines_if_that_is_wanted, Tree) {
  folder.file("a", "int\nmain() {\n}\nint x;\n");
  folder.file("b", "int main\n");
  BOOST_TEST(search({.pattern = "int\\s+main"}) == "b:1: int main");
  BOOST_TEST(search({.pattern = "int\\s+main", .multiline = true}) == "a:1: int\na:2: main() {\nb:1: int main");
  BOOST_TEST(search({.pattern = "(?s)main.*x", .multiline = true}) == "a:2: main() {\na:3: }\na:4: int x;");
  BOOST_TEST(search({.pattern = "t\nm", .literal = true, .multiline = true}) == "a:1: int\na:2: main() {");
  BOOST_TEST(search({.pattern = "t\nm", .literal = true, .multiline = true, .cursor = "a:1"}) == "a:2: main() {");
  BOOST_TEST(search({.pattern = "int\\nmain", .multiline = true, .output = SearchOutput::count}) == "a: 2");
  BOOST_TEST(search({.pattern = "\\{\\n", .multiline = true, .after = 1}) == "a:2: main() {\na-3- }");
}

// A file tells by its whole that it is in Latin-1, however late; what was found before that is not found again.
BOOST_FIXTURE_TEST_CASE(latin1_that_begins_behind_the_start_is_found, Tree) {
  std::string lines;
  for (int i = 0; i < 20'000; ++i) lines += "line\n";
  folder.file("early", "end\n" + lines + "caf\xE9 end\n");
  folder.file("damaged", "end\n" + lines + "caf\xE9 caf\u00e9 end\n");
  const std::string damaged = "damaged:20002: caf\uFFFD caf\u00e9 end";
  for (const bool multiline : {false, true}) {
    BOOST_TEST(search({.pattern = "caf\u00e9", .multiline = multiline}) == damaged + "\nearly:20002: caf\u00e9 end");
    BOOST_TEST(search({.pattern = "caf. end", .multiline = multiline}) == damaged + "\nearly:20002: caf\u00e9 end");
    BOOST_TEST(search({.pattern = "end", .multiline = multiline}) ==
               "damaged:1: end\n" + damaged + "\nearly:1: end\nearly:20002: caf\u00e9 end");
    BOOST_TEST(search({.pattern = "end", .multiline = multiline, .output = SearchOutput::count}) ==
               "damaged: 2\nearly: 2");
  }
  BOOST_TEST(search({.pattern = "caf", .path = "early", .before = 1}) ==
             "early-20001- line\nearly:20002: caf\u00e9 end");
}

// What a reader sees in each encoding is found there, with the same numbers of lines.
BOOST_FIXTURE_TEST_CASE(the_text_that_is_read_is_the_text_that_is_searched, Tree) {
  folder.file("bom",
              "\xEF\xBB\xBF"
              "caf\u00e9\nend;\n");
  folder.file("latin", "caf\xE9\nend;\n");
  folder.file("utf16", std::string("\xFF\xFE"
                                   "c\0a\0f\0\xE9\0\n\0e\0n\0d\0;\0\n\0",
                                   22));
  folder.file("windows", "caf\u00e9\r\nend;\r\n");
  const std::string first = "bom:1: caf\u00e9\nlatin:1: caf\u00e9\nutf16:1: caf\u00e9\nwindows:1: caf\u00e9";
  const std::string second = "bom:2: end;\nlatin:2: end;\nutf16:2: end;\nwindows:2: end;";
  for (const bool multiline : {false, true}) {
    BOOST_TEST(search({.pattern = "^caf\u00e9$", .multiline = multiline}) == first);
    BOOST_TEST(search({.pattern = "CAF\u00c9", .ignore_case = true, .multiline = multiline}) == first);
    BOOST_TEST(search({.pattern = ";$", .multiline = multiline}) == second);
  }
  BOOST_TEST(search({.pattern = "\u00e9\\ne", .multiline = true, .output = SearchOutput::files}) ==
             "bom\nlatin\nutf16\nwindows");
  BOOST_TEST(search({.pattern = "\u00e9\ne", .literal = true, .multiline = true, .output = SearchOutput::files}) ==
             "bom\nlatin\nutf16\nwindows");
  BOOST_TEST(search({.pattern = "end", .path = "utf16", .before = 1}) == "utf16-1- caf\u00e9\nutf16:2: end;");
}
