#include "workspace/search/required_text.hpp"

#define BOOST_TEST_MODULE workspace_required_text_test
#include <re2/re2.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <random>
#include <string>
#include <vector>

using workspace::Case;
using workspace::required_text;

namespace {

std::string shown(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : " or ") + text;
  return all;
}

std::string required(const char* expression, Case letters = Case::matters) {
  return shown(required_text(expression, letters).any_of);
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_longest_run_that_must_be_there_is_found) {
  BOOST_TEST(required("needle") == "needle");
  BOOST_TEST(required_text("needle").is_all);
  BOOST_TEST(required(R"(std\.sort\()") == "std.sort(");
  BOOST_TEST(required("^class +Servers") == "Servers");
  BOOST_TEST(!required_text("^class +Servers").is_all);
  BOOST_TEST(required("ab(c|d)efg") == "efg");
  BOOST_TEST(required("abc?") == "ab");
  BOOST_TEST(required("abc*de") == "ab");
  BOOST_TEST(required("abc{2,3}d") == "ab");
  BOOST_TEST(required("a{b") == "a{b");
  BOOST_TEST(required(R"(\bword\b)") == "word");
  BOOST_TEST(required("x[abc]yz") == "yz");
  BOOST_TEST(required("x[]a]yz") == "yz");
  BOOST_TEST(required("x[[:alpha:]]yz") == "yz");
}

BOOST_AUTO_TEST_CASE(one_of_several_texts_may_be_required) {
  BOOST_TEST(required("one|two|three") == "one or two or three");
  BOOST_TEST(!required_text("one|two").is_all);
  BOOST_TEST(required("(?:class|struct) +A") == "class or struct");
  BOOST_TEST(required(R"((?P<kind>get|set)\w+\()") == "get or set");
  BOOST_TEST(required("(a(bc|de)|fgh)x?") == "bc or de or fgh");
  BOOST_TEST(required("(abc|def)?gh") == "gh");
  BOOST_TEST(required("one|.*") == "");
  BOOST_TEST(required("a|b|c|d|e|f|g|h|i") == "");  // too many
}

BOOST_AUTO_TEST_CASE(where_case_is_ignored_no_letter_has_a_third_form) {
  BOOST_TEST(required("needle", Case::ignored) == "needle");
  BOOST_TEST(!required_text("needle", Case::ignored).is_all);
  BOOST_TEST(required("(?i)Zebra") == "Zebra");
  BOOST_TEST(required("(?i)blacksmith") == "blac");
  BOOST_TEST(required("(?i)s|abc") == "");
  BOOST_TEST(required("(?i)gr\u00fcn") == "gr");
  BOOST_TEST(shown(workspace::required_of_text("a.b*Kelvin", Case::ignored).any_of) == "elvin");
}

BOOST_AUTO_TEST_CASE(what_may_be_absent_is_never_required) {
  for (const char* expression :
       {"a|", "(?-i)abc", "(abc)*", "(abc){0}", "[abc]", ".*", R"(\x41bc)", R"(\Qa.b\E)", R"(\pLabc)", "a?", "(?s)a"})
    BOOST_TEST(required(expression) == "", expression);
  BOOST_TEST(required("ab\u00e9?") == "ab");
}

// Every match of an expression contains a text reported as required.
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
    const std::string expression = text(signs, 10);
    const re2::RE2 compiled{expression, quiet};
    const auto found = required_text(expression);
    if (!compiled.ok() || found.any_of.empty()) continue;
    for (int j = 0; j < 10; ++j) {
      const std::string line = text(letters + "d2{,.", 8);
      const bool contains = std::any_of(found.any_of.begin(), found.any_of.end(),
                                        [&](const std::string& part) { return line.find(part) != std::string::npos; });
      const bool matches = re2::RE2::PartialMatch(line, compiled);
      const std::string needed = shown(found.any_of);
      BOOST_REQUIRE_MESSAGE(contains || !matches, expression + " on " + line + " needs no " + needed);
      if (found.is_all) BOOST_REQUIRE_MESSAGE(contains == matches, expression + " is more than " + needed);
      ++compared;
    }
  }
  BOOST_TEST(compared > 10'000);
}
