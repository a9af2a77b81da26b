#include "workspace/changes/unified_diff.hpp"

#define BOOST_TEST_MODULE workspace_unified_diff_test
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using workspace::unified_diff;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    lines.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return lines;
}

// Does what `patch` does: each hunk's old lines must be where it says. Throws if they are not.
std::string patched(const std::string& before, const std::string& diff) {
  const std::vector<std::string> old = lines_of(before), lines = lines_of(diff);
  std::string result;
  std::size_t at = 0, i = 2;
  while (i < lines.size()) {
    BOOST_REQUIRE(lines[i].starts_with("@@ -"));
    const std::size_t first = std::strtoul(lines[i].c_str() + 4, nullptr, 10);
    const bool only_adds = lines[i].find(",0 +") != std::string::npos;
    for (; at + (only_adds ? 0 : 1) < first; ++at) result += old.at(at);
    for (++i; i < lines.size() && lines[i][0] != '@'; ++i) {
      std::string line = lines[i].substr(1);
      if (i + 1 < lines.size() && lines[i + 1][0] == '\\') line.pop_back();
      if (lines[i][0] == '\\') continue;
      if (lines[i][0] != '+') BOOST_REQUIRE(old.at(at++) == line);
      if (lines[i][0] != '-') result += line;
    }
  }
  for (; at < old.size(); ++at) result += old[at];
  return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_same_text_has_no_difference) {
  BOOST_TEST(unified_diff("f", "", "") == "");
  BOOST_TEST(unified_diff("f", "a\nb", "a\nb") == "");
}

BOOST_AUTO_TEST_CASE(a_changed_line_stands_between_three_lines_of_context) {
  BOOST_TEST(unified_diff("d/f", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n") ==
             "--- a/d/f\n+++ b/d/f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n");
}

BOOST_AUTO_TEST_CASE(new_and_emptied_files_and_missing_newlines_are_written_as_patch_expects) {
  BOOST_TEST(unified_diff("f", "", "a\n") == "--- a/f\n+++ b/f\n@@ -0,0 +1 @@\n+a\n");
  BOOST_TEST(unified_diff("f", "a\nb\n", "") == "--- a/f\n+++ b/f\n@@ -1,2 +0,0 @@\n-a\n-b\n");
  BOOST_TEST(unified_diff("f", "a", "a\n") == "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
}

BOOST_AUTO_TEST_CASE(distant_changes_are_hunks_of_their_own_and_near_ones_share_one) {
  std::string before, near, far;
  for (int i = 0; i < 30; ++i) {
    const std::string line = std::to_string(i) + '\n';
    before += line;
    near += i == 5 || i == 11 ? "x\n" : line;
    far += i == 5 || i == 25 ? "x\n" : line;
  }
  const auto hunks = [&](const std::string& after) {
    const std::string diff = unified_diff("f", before, after);
    std::size_t count = 0;
    for (std::size_t at = diff.find("\n@@ "); at != std::string::npos; at = diff.find("\n@@ ", at + 1)) ++count;
    return count;
  };
  BOOST_TEST(hunks(near) == 1U);
  BOOST_TEST(hunks(far) == 2U);
}

BOOST_AUTO_TEST_CASE(applied_to_the_old_text_it_gives_the_new_one) {
  std::mt19937 random{7};
  const auto text = [&] {
    std::string made;
    for (auto lines = random() % 20; lines > 0; --lines)
      made += std::string(1, static_cast<char>('a' + random() % 4)) + '\n';
    if (random() % 4 == 0 && !made.empty()) made.pop_back();
    return made;
  };
  for (int i = 0; i < 2000; ++i) {
    const std::string before = text(), after = text();
    const std::string diff = unified_diff("f", before, after);
    BOOST_REQUIRE(diff.empty() == (before == after));
    if (!diff.empty()) BOOST_REQUIRE(patched(before, diff) == after);
  }
}

BOOST_AUTO_TEST_CASE(texts_that_have_little_in_common_are_bounded_work) {
  std::string before, after;
  for (int i = 0; i < 20'000; ++i) {
    before += "a" + std::to_string(i) + '\n';
    after += "b" + std::to_string(i) + '\n';
  }
  BOOST_TEST((patched(before, unified_diff("f", before, after)) == after));
}
