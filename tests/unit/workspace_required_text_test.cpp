#include "workspace/search/required_text.hpp"

#define BOOST_TEST_MODULE workspace_required_text_test
#include <re2/re2.h>

#include <boost/test/unit_test.hpp>
#include <random>
#include <string>

using workspace::required_text;
using workspace::TextFinder;

BOOST_AUTO_TEST_CASE(the_longest_run_that_must_be_there_is_found) {
  BOOST_TEST(required_text("needle").text == "needle");
  BOOST_TEST(required_text("needle").is_all);
  BOOST_TEST(required_text(R"(std\.sort\()").text == "std.sort(");
  BOOST_TEST(required_text("^class +Servers").text == "Servers");
  BOOST_TEST(!required_text("^class +Servers").is_all);
  BOOST_TEST(required_text("ab(c|d)efg").text == "efg");
  BOOST_TEST(required_text("abc?").text == "ab");
  BOOST_TEST(required_text("abc*de").text == "ab");
  BOOST_TEST(required_text("abc{2,3}d").text == "ab");
  BOOST_TEST(required_text("a{b").text == "a{b");
  BOOST_TEST(required_text(R"(\bword\b)").text == "word");
  BOOST_TEST(required_text("x[abc]yz").text == "yz");
  BOOST_TEST(required_text("x[]a]yz").text == "yz");
  BOOST_TEST(required_text("x[[:alpha:]]yz").text == "yz");
}

BOOST_AUTO_TEST_CASE(what_may_be_absent_is_never_required) {
  for (const char* expression :
       {"a|b", "(?i)abc", "(abc)", "[abc]", ".*", R"(\x41bc)", R"(\Qa.b\E)", R"(\pLabc)", "a?", "(?s)a"})
    BOOST_TEST(required_text(expression).text == "", expression);
  BOOST_TEST(required_text("ab\u00e9?").text == "ab");
}

// Every match of an expression contains the text reported as required.
BOOST_AUTO_TEST_CASE(it_agrees_with_the_expression_on_random_ones) {
  std::mt19937 random{11};
  const std::string letters = "abc", signs = "abcabc.*+?()[]|{}^$\\d2,-";
  const auto text = [&](const std::string& of, std::size_t most) {
    std::string made;
    for (auto left = random() % most + 1; left > 0; --left) made += of[random() % of.size()];
    return made;
  };
  re2::RE2::Options quiet;
  quiet.set_log_errors(false);
  int compared = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::string expression = text(signs, 8);
    const re2::RE2 compiled{expression, quiet};
    const auto required = required_text(expression);
    if (!compiled.ok() || required.text.empty()) continue;
    for (int j = 0; j < 10; ++j) {
      const std::string line = text(letters + "d2{,.", 8);
      const bool contains = line.find(required.text) != std::string::npos;
      const bool matches = re2::RE2::PartialMatch(line, compiled);
      BOOST_REQUIRE_MESSAGE(contains || !matches, expression + " on " + line + " needs no " + required.text);
      if (required.is_all) BOOST_REQUIRE_MESSAGE(contains == matches, expression + " is more than " + required.text);
      ++compared;
    }
  }
  BOOST_TEST(compared > 10'000);
}

BOOST_AUTO_TEST_CASE(a_text_is_found_wherever_it_stands) {
  std::mt19937 random{5};
  for (int i = 0; i < 20'000; ++i) {
    std::string in, wanted;
    for (auto left = random() % 20; left > 0; --left) in += static_cast<char>('a' + random() % 3);
    for (auto left = random() % 3 + 1; left > 0; --left) wanted += static_cast<char>('a' + random() % 3);
    const std::size_t from = in.empty() ? 0 : random() % in.size();
    BOOST_REQUIRE(TextFinder{wanted}.find(in, from) == in.find(wanted, from));
  }
}
