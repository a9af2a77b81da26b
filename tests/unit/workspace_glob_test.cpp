#include "workspace/names/glob.hpp"

#define BOOST_TEST_MODULE workspace_glob_test
#include <boost/test/unit_test.hpp>
#include <string>
#include <toolwire/error.hpp>

using workspace::Glob;

namespace {
bool matches(std::string_view pattern, std::string_view path) { return Glob{pattern}.matches(path); }

std::string complaint(const std::string& pattern) {
  try {
    const Glob glob{pattern};
  } catch (const toolwire::ToolError& error) {
    return error.what();
  }
  return {};
}
}  // namespace

BOOST_AUTO_TEST_CASE(a_pattern_without_a_slash_is_about_the_name_in_any_directory) {
  BOOST_TEST(matches("*.cpp", "main.cpp"));
  BOOST_TEST(matches("*.cpp", "a/b/main.cpp"));
  BOOST_TEST(!matches("*.cpp", "main.cpp.txt"));
  BOOST_TEST(!matches("*.cpp", "a.cpp/readme"));
  BOOST_TEST(!matches("main", "xmain"));
}

BOOST_AUTO_TEST_CASE(a_pattern_with_a_slash_is_about_the_whole_path) {
  BOOST_TEST(matches("src/*.cpp", "src/main.cpp"));
  BOOST_TEST(!matches("src/*.cpp", "src/a/main.cpp"));
  BOOST_TEST(!matches("src/*.cpp", "other/src/main.cpp"));
  BOOST_TEST(matches("/main.cpp", "main.cpp"));
  BOOST_TEST(!matches("/main.cpp", "src/main.cpp"));
  BOOST_TEST(matches("./src/*", "src/x"));
}

BOOST_AUTO_TEST_CASE(two_stars_cross_directories_or_none) {
  BOOST_TEST(matches("src/**/*.cpp", "src/main.cpp"));
  BOOST_TEST(matches("src/**/*.cpp", "src/a/b/main.cpp"));
  BOOST_TEST(matches("**/test/*", "test/x"));
  BOOST_TEST(matches("**/test/*", "a/b/test/x"));
  BOOST_TEST(!matches("**/test/*", "a/btest/x"));
  BOOST_TEST(matches("src/**", "src/a/b"));
  BOOST_TEST(!matches("src/**", "srcs/a"));
}

BOOST_AUTO_TEST_CASE(question_marks_sets_and_braces) {
  BOOST_TEST(matches("?.c", "\u00e9.c"));
  BOOST_TEST(!matches("?.c", "ab.c"));
  BOOST_TEST(matches("[a-c]x", "bx"));
  BOOST_TEST(!matches("[!a-c]x", "bx"));
  BOOST_TEST(matches("[!a-c]x", "dx"));
  BOOST_TEST(matches("[]]", "]"));
  BOOST_TEST(matches("[!-a]", "b"));
  BOOST_TEST(!matches("[!-a]", "-"));
  BOOST_TEST(matches("[a-]", "-"));
  BOOST_TEST(matches("*.{hpp,cpp}", "x.hpp"));
  BOOST_TEST(matches("{a,b{c,d}}.txt", "bd.txt"));
  BOOST_TEST(!matches("*.{hpp,cpp}", "x.h"));
  BOOST_TEST(matches("a,b", "a,b"));
  BOOST_TEST(matches("[[:digit:]_]x", "7x"));
  BOOST_TEST(matches("[[:digit:]_]x", "_x"));
  BOOST_TEST(!matches("[![:digit:]]x", "7x"));
  BOOST_TEST(matches("[a\\]]x", "]x"));
  BOOST_TEST(matches("[[:]x", ":x"));
}

BOOST_AUTO_TEST_CASE(what_means_something_to_a_regular_expression_is_literal) {
  BOOST_TEST(matches("a.b", "a.b"));
  BOOST_TEST(!matches("a.b", "axb"));
  BOOST_TEST(matches("(x)+$^|", "(x)+$^|"));
  BOOST_TEST(matches("\\*", "*"));
  BOOST_TEST(!matches("\\*", "x"));
  BOOST_TEST(matches("caf\u00e9*", "caf\u00e9.txt"));
}

BOOST_AUTO_TEST_CASE(a_name_that_is_not_utf8_or_has_a_newline_can_still_match) {
  BOOST_TEST(matches("*.txt", "a\xFF.txt"));
  BOOST_TEST(matches("*.txt", "a\nb.txt"));
}

BOOST_AUTO_TEST_CASE(a_malformed_pattern_is_refused_saying_how_patterns_are_written) {
  for (const std::string& pattern : {std::string(), std::string("[a"), std::string("{a,b"), std::string("a\\"),
                                     std::string("[z-a]"), std::string(1025, 'a'), std::string("a\0b", 3)}) {
    BOOST_TEST(complaint(pattern).starts_with("glob: "), pattern);
    BOOST_TEST(complaint(pattern).find("expected a pattern of *") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(a_pattern_that_would_make_backtracking_explode_is_answered) {
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "*a";
  BOOST_TEST(!matches(pattern + "b", std::string(4000, 'a')));
  std::string braces;
  for (int i = 0; i < 100; ++i) braces += "{a,aa}";
  BOOST_TEST(!matches(braces + "b", std::string(4000, 'a')));
  std::string doubled = "x";
  for (int i = 0; i < 200; ++i) doubled += "/**";
  BOOST_TEST(!matches(doubled + "/y", "x/" + std::string(3000, 'z')));
}
