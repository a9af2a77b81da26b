#include "workspace/names/ignore_rules.hpp"

#define BOOST_TEST_MODULE workspace_ignore_rules_test
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "scratch_folder.hpp"
#include "workspace/system/walk.hpp"

using workspace::IgnoreRules;
using workspace::Verdict;

namespace {

bool ignores(std::string_view rules, std::string_view path, bool is_directory = false) {
  return IgnoreRules{"", rules}.verdict(path, is_directory) == Verdict::ignored;
}

}  // namespace

BOOST_AUTO_TEST_CASE(names_and_endings_hold_at_any_depth) {
  BOOST_TEST(ignores("node_modules", "node_modules"));
  BOOST_TEST(ignores("node_modules", "a/b/node_modules"));
  BOOST_TEST(!ignores("node_modules", "node_modules2"));
  BOOST_TEST(ignores("*.o", "a/b.o"));
  BOOST_TEST(!ignores("*.o", "a/b.os"));
  BOOST_TEST(ignores("te?t[0-9]", "x/test7"));
}

BOOST_AUTO_TEST_CASE(a_slash_ties_a_rule_to_its_folder) {
  BOOST_TEST(ignores("/build", "build"));
  BOOST_TEST(!ignores("/build", "a/build"));
  BOOST_TEST(ignores("a/b", "a/b"));
  BOOST_TEST(!ignores("a/b", "x/a/b"));
  BOOST_TEST(ignores("**/a/b", "x/a/b"));
  BOOST_TEST(ignores("a/**", "a/b/c"));
  BOOST_TEST(!ignores("a/*.c", "a/b/x.c"));
  const IgnoreRules below{"sub/", "/x\na/b\n"};
  BOOST_TEST((below.verdict("sub/x", false) == Verdict::ignored));
  BOOST_TEST((below.verdict("sub/y/x", false) == Verdict::none));
  BOOST_TEST((below.verdict("sub/a/b", false) == Verdict::ignored));
}

BOOST_AUTO_TEST_CASE(a_slash_at_the_end_means_directories) {
  BOOST_TEST(ignores("out/", "a/out", true));
  BOOST_TEST(!ignores("out/", "a/out", false));
}

BOOST_AUTO_TEST_CASE(the_last_rule_that_fits_decides) {
  BOOST_TEST(!ignores("*.log\n!keep.log", "keep.log"));
  BOOST_TEST(ignores("!keep.log\n*.log", "keep.log"));
  BOOST_TEST((IgnoreRules{"", "!x"}.verdict("x", false) == Verdict::kept));
}

BOOST_AUTO_TEST_CASE(comments_blanks_escapes_and_malformed_rules_are_read_as_git_does) {
  BOOST_TEST(!ignores("# x\n\n   \n", "x"));
  BOOST_TEST(ignores("\\#x\n", "#x"));
  BOOST_TEST(ignores("x  \r\n", "x"));
  BOOST_TEST(ignores("{a,b}\n", "{a,b}"));
  BOOST_TEST(!ignores("{a,b}*\n", "a"));
  BOOST_TEST(ignores("[\nx\n", "x"));
}

BOOST_AUTO_TEST_CASE(stars_in_a_name_go_through_no_folder) {
  BOOST_TEST(ignores("src/**.js", "src/a.js"));
  BOOST_TEST(!ignores("src/**.js", "src/a/b.js"));
  BOOST_TEST(!ignores("src/a**/x", "src/a/b/x"));
  BOOST_TEST(ignores("src/***/x", "src/a/b/x"));
}

BOOST_AUTO_TEST_CASE(sets_are_read_as_git_does) {
  BOOST_TEST(ignores("[[:upper:]]x", "Ax"));
  BOOST_TEST(!ignores("[[:upper:]]x", "ax"));
  BOOST_TEST(ignores("[\\]]", "]"));
  BOOST_TEST(ignores("[a\\-c]", "-"));
  BOOST_TEST(!ignores("[a\\-c]", "b"));
}

BOOST_AUTO_TEST_CASE(a_byte_order_mark_is_no_part_of_the_first_rule) {
  BOOST_TEST(ignores("\xEF\xBB\xBFnode_modules\n", "node_modules"));
}

BOOST_AUTO_TEST_CASE(a_rule_with_a_dot_before_its_slash_fits_nothing) { BOOST_TEST(!ignores("./build", "build")); }

BOOST_AUTO_TEST_CASE(rules_end_where_another_repository_begins) {
  const toolwire_test::ScratchFolder folder{toolwire_test::ScratchFolder::in_memory()};
  folder.file(".gitignore", "*.log\nhidden\n");
  folder.file("module/.git", "gitdir: ../.git/modules/module\n");
  folder.file("module/.gitignore", "own\n");
  folder.file("inner/.git/info/exclude", "excluded\n");
  for (const char* name : {"a.log", "module/a.log", "module/own", "module/deep/a.log", "inner/a.log", "inner/excluded",
                           "inner/deep/excluded", "hidden/.git/HEAD", "hidden/f"})
    folder.file(name);
  const workspace::Root root = workspace::Root::at(folder.text());
  const auto walked = [&](const std::string& start) {
    std::vector<std::string> seen;
    workspace::walk(root, start, {.ignored = workspace::Ignored::left_out}, {}, [&](const workspace::Entry& entry) {
      if (entry.kind == workspace::FileKind::regular && !entry.path.ends_with("/.git") &&
          !entry.path.ends_with(".gitignore"))
        seen.push_back(entry.path);
      return workspace::Step::proceed;
    });
    return seen;
  };
  const std::vector<std::string> all{"inner/a.log", "module/a.log", "module/deep/a.log"};
  BOOST_TEST(walked(".") == all, boost::test_tools::per_element());
  BOOST_TEST(walked("module/deep") == std::vector<std::string>{"module/deep/a.log"}, boost::test_tools::per_element());
  BOOST_TEST(walked("inner/deep").empty());
}

BOOST_AUTO_TEST_CASE(a_walk_takes_the_rules_of_every_folder_on_its_way) {
  const toolwire_test::ScratchFolder folder{toolwire_test::ScratchFolder::in_memory()};
  folder.file(".gitignore", "*.log\n/top\n");
  folder.file(".git/info/exclude", "excluded\n");
  folder.file("a/.gitignore", "!wanted.log\nlocal\n");
  for (const char* name :
       {"x.log", "top/f", "a/x.log", "a/wanted.log", "a/local", "a/b/local", "b/local", "b/top/f", "excluded"})
    folder.file(name);
  const workspace::Root root = workspace::Root::at(folder.text());
  const auto walked = [&](const std::string& start, std::size_t& ignored) {
    std::vector<std::string> seen;
    const auto report =
        workspace::walk(root, start, {.ignored = workspace::Ignored::left_out}, {}, [&](const workspace::Entry& entry) {
          if (entry.kind == workspace::FileKind::regular) seen.push_back(entry.path);
          return workspace::Step::proceed;
        });
    ignored = report.ignored;
    return seen;
  };
  using Names = std::vector<std::string>;
  std::size_t ignored = 0;
  BOOST_TEST(walked(".", ignored) == (Names{".gitignore", "a/.gitignore", "a/wanted.log", "b/local", "b/top/f"}));
  BOOST_TEST(ignored == 6U);
  BOOST_TEST(walked("a", ignored) == (Names{"a/.gitignore", "a/wanted.log"}));
  BOOST_TEST(walked("b", ignored) == (Names{"b/local", "b/top/f"}));
}
