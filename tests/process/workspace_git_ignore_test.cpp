// The same question to git and to a listing: which files a .gitignore leaves. Without `git` on the path nothing is
// compared, and that is said.
#define BOOST_TEST_MODULE workspace_git_ignore_test
#include <array>
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "scratch_folder.hpp"
#include "workspace/search/listing.hpp"

namespace {

using Paths = std::set<std::string>;

Paths lines_of(const std::string& text) {
  Paths lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.insert(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe{::popen((command + " 2>/dev/null").c_str(), "re"), ::pclose};
  std::string out;
  std::array<char, 4096> part{};
  while (const std::size_t got = std::fread(part.data(), 1, part.size(), pipe.get())) out.append(part.data(), got);
  return out;
}

struct HasGit {
  boost::test_tools::assertion_result operator()(boost::unit_test::test_unit_id) const {
    boost::test_tools::assertion_result result{output_of("git --version").starts_with("git version")};
    result.message() << "there is no git on the path: nothing is compared";
    return result;
  }
};

struct Tree {
  Tree() {
    for (const char* name : {"a.o",
                             "a.c",
                             "b.log",
                             "README.md",
                             "src/a.o",
                             "src/b.c",
                             "src/deep/a.o",
                             "src/deep/b.log",
                             "src/build/x",
                             "build/x",
                             "build/deep/y",
                             "lib/build",
                             "lib/a b",
                             "lib/a.log",
                             "doc/a.txt",
                             "doc/deep/a.txt",
                             "doc/deep/deep/b.txt",
                             "!odd",
                             "#odd",
                             "x[y]",
                             ".hidden",
                             "a/b/c/d"})
      folder.file(name);
    output_of("git init -q " + folder.text());
  }

  Paths ours() const {
    Paths paths = lines_of(
        workspace::list_entries(roots, {.depth = 100, .kind = workspace::EntryKind::file, .include_ignored = false}, {})
            .text);
    std::erase_if(paths, [](const std::string& line) { return line.starts_with("["); });  // notices
    return paths;
  }

  Paths theirs() const {
    return lines_of(
        output_of("cd " + folder.text() +
                  " && HOME=/nowhere XDG_CONFIG_HOME=/nowhere GIT_CONFIG_NOSYSTEM=1 git -c core.quotePath=off "
                  "ls-files --others --exclude-standard"));
  }

  toolwire_test::ScratchFolder folder;
  workspace::Roots roots{workspace::Root::at(folder.text())};
};

const std::vector<std::string> rules{
    "*.o",    "!a.o",       "build",      "build/",   "/build",  "/build/", "src/build", "**/build",     "build/**",
    "src/**", "src/*",      "src/**/a.o", "*.log",    "!b.log",  "/*.log",  "doc/*.txt", "doc/**/*.txt", "deep/",
    "!deep/", "**/deep/**", "a",          "a/b",      "a/**/d",  "?.c",     "[ab].log",  "[!a].log",     "[^a]*",
    "\\!odd", "\\#odd",     "#odd",       "x\\[y\\]", "a\\ b",   "a b  ",   ".*",        "!.hidden",     "*",
    "!*/",    "!*.c",       "/src/*/",    "*.md ",    "lib/a?b", "{a,b}.c", "deep/a.*",  "/**/a.o"};

// Stars within a name, sets with classes and backslashes, white space. Of "a**/b" versions of git differ.
const std::vector<std::string> odd_rules{"src/**.o",       "/**.log",       "src/**ild/x",   "***/a.o",
                                         "./build",        "[[:upper:]]*",  "*[[:lower:]]d", "[[:upper]*",
                                         "[a\\-c].o",      "x[\\[]y[\\]]",  "x[[]y[]]",      "a b\\ ",
                                         "README.md\\\\ ", "[![:punct:]]*", "*[.[:digit:]]o"};

}  // namespace

BOOST_TEST_DECORATOR(*boost::unit_test::precondition(HasGit{}))
BOOST_FIXTURE_TEST_CASE(each_rule_leaves_what_git_leaves, Tree) {
  for (const std::string& rule : rules) {
    folder.file(".gitignore", rule + '\n');
    BOOST_TEST_CONTEXT(rule) BOOST_TEST(ours() == theirs(), boost::test_tools::per_element());
  }
}

BOOST_TEST_DECORATOR(*boost::unit_test::precondition(HasGit{}))
BOOST_FIXTURE_TEST_CASE(each_odd_rule_leaves_what_git_leaves, Tree) {
  for (const std::string& rule : odd_rules) {
    folder.file(".gitignore", "\xEF\xBB\xBF" + rule + '\n');
    BOOST_TEST_CONTEXT(rule) BOOST_TEST(ours() == theirs(), boost::test_tools::per_element());
  }
}

BOOST_TEST_DECORATOR(*boost::unit_test::precondition(HasGit{}))
BOOST_FIXTURE_TEST_CASE(rules_together_and_in_folders_leave_what_git_leaves, Tree) {
  std::mt19937 random{17};
  const auto some = [&] {
    std::string text;
    for (auto left = random() % 4 + 1; left > 0; --left) text += rules[random() % rules.size()] + '\n';
    return text;
  };
  for (int i = 0; i < 150; ++i) {
    const std::string top = some(), below = some(), excluded = some();
    folder.file(".gitignore", top);
    folder.file("src/.gitignore", below);
    folder.file(".git/info/exclude", excluded);
    BOOST_TEST_CONTEXT("top:\n" << top << "src:\n" << below << "exclude:\n" << excluded)
    BOOST_TEST(ours() == theirs(), boost::test_tools::per_element());
  }
}
