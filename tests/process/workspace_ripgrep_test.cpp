// The same question to ripgrep and to the search: which files a choice of names is about, and which lines match.
// Without `rg` on the path nothing is compared, and that is said.
#define BOOST_TEST_MODULE workspace_ripgrep_test
#include <array>
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "scratch_folder.hpp"
#include "workspace/names/file_types.hpp"
#include "workspace/search/listing.hpp"
#include "workspace/search/report.hpp"

using workspace::NameChoice;

namespace {

using Paths = std::multiset<std::string>;

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

struct HasRipgrep {
  boost::test_tools::assertion_result operator()(boost::unit_test::test_unit_id) const {
    boost::test_tools::assertion_result result{output_of("rg --version").starts_with("ripgrep 13.")};
    result.message() << "there is no rg of version 13 on the path: nothing is compared";
    return result;
  }
};

struct Tree {
  Tree() {
    for (const char* name : {"x.py", "X.PY", "test_x.py", "a.txt", "README.md", "src/x.cpp", "src/x_test.cpp",
                             "src/deep/y.hpp", "lib/src/z.c", "build/x.py", "lib/build/y.txt", "CMakeLists.txt",
                             "lib/Makefile", "a,b", "one/two/three.txt", "b", "[x]"})
      folder.file(name);
  }

  Paths ours(const NameChoice& names) const {
    return lines_of(
        workspace::list_entries(
            roots, {.depth = 100, .names = names, .kind = workspace::EntryKind::file, .include_ignored = true}, {})
            .text);
  }

  Paths theirs(const std::string& options) const {
    return lines_of(output_of("cd " + folder.text() + " && rg --files --no-config --no-ignore --hidden " + options));
  }

  toolwire_test::ScratchFolder folder;
  workspace::Roots roots{workspace::Root::at(folder.text())};
};

}  // namespace

BOOST_TEST_DECORATOR(*boost::unit_test::precondition(HasRipgrep{}))
BOOST_FIXTURE_TEST_CASE(globs_choose_the_same_files, Tree) {
  const std::vector<std::vector<std::string>> lists{{"*.py"},
                                                    {"!*.py"},
                                                    {"*.py", "!test_*"},
                                                    {"!test_*", "*.py"},
                                                    {"*.py", "*.txt"},
                                                    {"{x,a}.{py,txt}"},
                                                    {"!build"},
                                                    {"!build/"},
                                                    {"!/build/"},
                                                    {"!src", "*.cpp"},
                                                    {"src/*.cpp"},
                                                    {"src/**"},
                                                    {"**/src/**"},
                                                    {"/src/**/*.hpp"},
                                                    {"[xX].*"},
                                                    {"[!x]*.py"},
                                                    {"\\[x\\]"},
                                                    {"one/*/three.txt"},
                                                    {"?"},
                                                    {"!*"},
                                                    {"!*.py", "x.py"}};
  for (const auto& globs : lists) {
    std::string choice;
    std::string options;
    for (const std::string& glob : globs) {
      choice += (choice.empty() ? "" : ",") + glob;
      options += " -g '" + glob + '\'';
    }
    Paths expected = theirs(options);
    if (expected.empty()) expected = {"[Nothing matches.]"};
    BOOST_TEST(ours({.glob = choice}) == expected, choice);
  }
  BOOST_TEST((ours({.glob = "*.py", .ignore_case = true}) == theirs("--iglob '*.py'")));
}

BOOST_TEST_DECORATOR(*boost::unit_test::precondition(HasRipgrep{}))
BOOST_FIXTURE_TEST_CASE(types_choose_the_same_files, Tree) {
  for (const char* type : {"cpp", "py", "c", "make", "cmake", "md", "txt", "readme"})
    BOOST_TEST((ours({.type = type}) == theirs(std::string("-t ") + type)), type);
  BOOST_TEST((ours({.type = "cpp,py"}) == theirs("-t cpp -t py")));
  BOOST_TEST((ours({.type = "!py"}) == theirs("-T py")));
}

BOOST_TEST_DECORATOR(*boost::unit_test::precondition(HasRipgrep{}))
BOOST_FIXTURE_TEST_CASE(the_same_lines_match, Tree) {
  folder.file("text", "one;\ntwo\n\nthree;\none\ntwo;\n");
  folder.file("windows", "one;\r\ntwo\r\n\r\nthree;\r\n");
  folder.file("bom", "\xEF\xBB\xBFone;\ntwo\n");
  folder.file("utf16", std::string("\xFF\xFEo\0n\0e\0;\0\n\0t\0w\0o\0", 18));
  // Across lines ripgrep sees carriage returns, and the search does not: that file is left out.
  const auto compare = [&](const std::string& pattern, bool multiline) {
    const std::string ours =
        workspace::search(
            roots,
            {.pattern = pattern, .names = {.glob = multiline ? "!windows" : ""}, .multiline = multiline, .after = 1},
            {}, {})
            .text;
    const std::string theirs =
        output_of("cd " + folder.text() + " && rg --no-config --sort path -n --crlf --no-heading -A1 " +
                  (multiline ? "-U -g '!windows' " : "") + "-e '" + pattern + '\'');
    Paths expected;
    for (std::string line : lines_of(theirs)) {
      if (line.ends_with('\r')) line.pop_back();
      expected.insert(std::move(line));
    }
    Paths found;
    for (std::string line : lines_of(ours)) {
      if (line.starts_with('[')) continue;  // a notice
      if (const std::size_t gap = line.find("- "); gap != std::string::npos) line.erase(gap + 1, 1);
      if (const std::size_t gap = line.find(": "); gap != std::string::npos) line.erase(gap + 1, 1);
      found.insert(std::move(line));
    }
    BOOST_TEST_CONTEXT(pattern)
    BOOST_CHECK_EQUAL_COLLECTIONS(found.begin(), found.end(), expected.begin(), expected.end());
  };
  for (const char* pattern : {"^one", ";$", "^one;$", "t.*e", "(?i)THREE", "e;", "^two$", "one|two", "^$"})
    compare(pattern, false);
  for (const char* pattern : {"one;\\ntwo", "one\\s+two", "(?s)one.*two", "two$", "^three", "o\\nt", ";\\s"})
    compare(pattern, true);
}

BOOST_TEST_DECORATOR(*boost::unit_test::precondition(HasRipgrep{}))
BOOST_AUTO_TEST_CASE(the_table_of_types_is_theirs) {
  Paths ours;
  for (const workspace::FileType& type : workspace::file_types) {
    std::string row = std::string(type.name) + ": ";
    for (const char c : type.globs) row += c == ',' ? std::string(", ") : std::string(1, c);
    if (row == "fut: *.fut") row = "fut: .fut";  // a slip of that version
    ours.insert(row);
  }
  const Paths theirs = lines_of(output_of("rg --no-config --type-list"));
  BOOST_CHECK_EQUAL_COLLECTIONS(ours.begin(), ours.end(), theirs.begin(), theirs.end());
}
