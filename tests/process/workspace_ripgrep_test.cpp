// The same question to ripgrep and to the search: which files a choice of names is about, and which lines match.
// Without `rg` on the path nothing is compared, and that is said.
#define BOOST_TEST_MODULE workspace_ripgrep_test
#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "scratch_folder.hpp"
#include "workspace/changes/replacement.hpp"
#include "workspace/names/file_types.hpp"
#include "workspace/search/listing.hpp"
#include "workspace/search/report.hpp"
#include "workspace/search/text_search.hpp"
#include "workspace/text/encoding.hpp"

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

  /// "file:line" of each line that matches.
  std::vector<std::string> numbers_of_ours(const std::string& pattern, bool any_case) const {
    std::vector<std::string> found;
    const workspace::SearchRequest request{.pattern = pattern, .path = "v", .ignore_case = any_case, .limit = 2000};
    for (const workspace::SearchMatch& match : workspace::search(roots, request, {}, {}).answer.matches)
      found.push_back(match.path + ':' + std::to_string(match.line.value_or(0)));
    std::sort(found.begin(), found.end());
    return found;
  }

  std::vector<std::string> numbers_of_theirs(const std::string& pattern, bool any_case) const {
    std::vector<std::string> found;
    folder.file("pattern", pattern);
    for (const char* files : {"-g '!latin*'", "-E latin1 -g 'latin*'"}) {
      const std::string output = output_of("cd " + folder.text() + " && rg --no-config -n --crlf --no-heading " +
                                           files + (any_case ? " -i" : "") + " -f pattern v");
      for (const std::string& line : lines_of(output))
        found.push_back(line.substr(0, line.find(':', line.find(':') + 1)));
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  toolwire_test::ScratchFolder folder;
  workspace::Roots roots{workspace::Root::at(folder.text())};
};

std::string with_returns(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '\n' ? std::string("\r\n") : std::string(1, c);
  return result;
}

std::vector<std::pair<std::string, std::string>> variants_of(const std::string& text) {
  using workspace::Encoding;
  std::vector<std::pair<std::string, std::string>> variants;
  for (const auto& [name, encoding] : {std::pair{"utf8", Encoding::utf8}, std::pair{"mark", Encoding::utf8_with_mark},
                                       std::pair{"little", Encoding::utf16_little},
                                       std::pair{"big", Encoding::utf16_big}, std::pair{"latin", Encoding::latin1}}) {
    const auto bytes = workspace::from_utf8(text, encoding);
    if (!bytes) continue;  // not all of it is in Latin-1
    variants.emplace_back(std::string(name) + "_lf", *bytes);
    variants.emplace_back(std::string(name) + "_crlf", workspace::from_utf8(with_returns(text), encoding).value());
  }
  return variants;
}

/// Every atom alone, at the start and at the end of a line, repeated, in a group and before another: what RE2 and
/// ripgrep's expressions mean alike.
std::vector<std::string> patterns() {
  std::vector<std::string> all{
      "^$",        "^\\s*$",     "^;$",         "[^;]$",     "foo|bar|end", "(?:class|struct) [A-Z]",
      "(foo){2}",  "\\bread",    "Reader|Base", "a.*a.*a",   "K\u00e4se",   "gr\u00fcn$",
      "Ren.( |$)", "[0-9]{3,4}", "argc, argv",  "std::.*::", "x?y?z?;",     "(a|b|c)+;"};
  const std::vector<std::string> atoms{"int", "return",     "[A-Z][a-z]+", "\\(",     ";",
                                       "o+",  "[a-z_]+\\(", "//",          "\\{\\}",  "char\\*+",
                                       "\\.", "TODO",       "[\"']",       "#define", "li?ne?"};
  for (const std::string& atom : atoms) {
    for (const char* frame : {"", "^", "^ *"}) all.push_back(frame + atom);
    all.push_back(atom + '$');
    all.push_back('(' + atom + ")+.$");
    all.push_back(atom + ".*;");
  }
  return all;
}

/// Words of many scripts: composed and combining marks, joiners, digits and spaces that are not ASCII.
const std::string latin_words =
    "\u00dcber den Wolken\nder K\u00e4se, gr\u00fcn\nvor\u00fcber\nna\u00efve "
    "caf\u00e9\ncaf\u00e9s\nx\u00fc\n\u00fcx\n\u00fc\n"
    "1\u00bd cup\n20\u00b5m \u00aa \u00ba\na\u00a0b\nfoo_b\u00e4r\nfoo b\u00e4r\n\u00df\nSTRASSE stra\u00dfe\n\u00d7 "
    "\u00f7\n-\u00e4-\nplain words\n"
    "x = y;\n\n   \n\u00abzitat\u00bb\n_\u00e4_\n\u00e45\nabc123\n";
const std::string wide_words =
    latin_words +
    "\u0441\u043b\u043e\u0432\u043e\n\u043e\u0434\u043d\u043e "
    "\u0441\u043b\u043e\u0432\u043e!\n\u0441\u043b\u043e\u0432\u043e"
    "foo\nfoo\u0441\u043b\u043e\u0432\u043e\n\u0421\u041b\u041e\u0412\u041e\n\u6f22\u5b57 "
    "\u304b\u306a\n\u6f22foo\u5b57\n"
    "\u3002foo\u3001\ncafe\u0301\ncafe\u0301s "
    "cafe\n\u0301x\na\u200db\na\u200cb\na\u200bb\n\u0669\u0660\u0661\n\u096d7\n\uff11\uff12\n"
    "a\u2003b\na\u3000b\na\u2028b\na\u0085b\n\u2167 \u24b6\n\U0001f600 "
    "foo\nfoo\U0001f600\n\U0001d504foo\n\u203f\u2040\n\u212a k "
    "K\n\u0391\u03b8\u03ae\u03bd\u03b1\u03c2 "
    "\u03c3\u03c2\n\u05e9\u05dc\u05d5\u05dd\n\u0e2a\u0e27\u0e31\n\u0915\u094d\u0937\n\u01c5\n\u0130i\u0131\n"
    "a\vb\na\fb\n\v\n\ufb01\n\u2460\n\u20dd\n";

/// Not \B$ alone: with --crlf that version of ripgrep stops at it with a failed assertion.
std::vector<std::string> patterns_with_words() {
  return {"\\b\u00dcber\\b",
          "\\b\u00fcber\\b",
          "\\bfoo\\b",
          "\\bfoo",
          "foo\\b",
          "\\Bfoo",
          "foo\\B",
          "caf\\w\\b",
          "\\bcaf\\w$",
          "caf\u00e9\\b",
          "cafe\\b",
          "\\b\u0441\u043b\u043e\u0432\u043e\\b",
          "\u0441\u043b\u043e\u0432\u043e\\B",
          "^\\w+$",
          "^\\W+$",
          "^[^\\w]+$",
          "^[\\w ]+$",
          "^[^\\W]+$",
          "^[^\\W\\d]+$",
          "^[\\W\\d_]+$",
          "\\w\\W\\w",
          "^\\d+$",
          "[^\\D1]",
          "\\D\\d",
          "\\d\\w",
          "a\\sb",
          "a\\Sb",
          "a[\\s-]b",
          "a[^\\S]b",
          "^[\\S]+$",
          "^\\s*$",
          "^\\s+$",
          "\\b\\w\\b",
          "^\\b.\\b$",
          "^\\B",
          "^\\B$",
          "\\b$",
          "^.\\b",
          ".\\B.\\b.",
          "(\\b\\w+\\b\\W*){2,3}$",
          "^(\\b\\w+\\b ?)+$",
          "(a|\\b)\u0441",
          "(?:\\b|_)\u00e4(?:\\b|_)",
          "\\b(?:foo|\u0441\u043b\u043e\u0432\u043e|k)\\b",
          "(?i:\\bk\\b)",
          "(?i)\\bstra(ss|\u00df)e\\b",
          "\\b[[:alpha:]]+\\b$",
          "\\b\\pL+\\b$",
          "\\b\\x{fc}",
          "\\b[\\x{e0}-\\x{ff}]+\\b",
          "\\w{5}\\b",
          "\\b\\w{2,3}?\\b",
          "(\\b)*x",
          "\\b\\b\u00fc\\b\\b",
          "(?-i:\\bK)",
          "\\b(?:\\w|\\s)*\\b$",
          "\\bx\\b|\\bwords$"};
}

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

// Each pattern on the same text in three encodings and with two line ends; ripgrep is told of what it cannot see by
// itself: carriage returns, and Latin-1.
BOOST_TEST_DECORATOR(*boost::unit_test::precondition(HasRipgrep{}))
BOOST_FIXTURE_TEST_CASE(a_hundred_patterns_find_the_same_lines_in_every_encoding_and_line_end, Tree) {
  const std::string text =
      "int main(int argc, char** argv) {\n  return run(argc, argv);\n}\n\nclass Reader : public Base {\n public:\n"
      "  explicit Reader(const std::string& path);\n  // TODO: the K\u00e4se of Ren\u00e9 is 100% gr\u00fcn\n"
      "  std::size_t read_some(char* into, std::size_t room);\n};\nstruct Empty {};\n\t#define MAX_SIZE 4096\n"
      "foo.bar[0] = \"quoted; text\"; // x\nfoofoo barbar\nend;\n;\n   \nlast line without anything special\n";
  for (const auto& [name, bytes] : variants_of(text)) folder.file("v/" + name, bytes);
  std::size_t compared = 0;
  for (const std::string& pattern : patterns()) {
    for (const bool any_case : {false, true}) {
      BOOST_TEST_CONTEXT(pattern << (any_case ? " in any case" : ""))
      BOOST_TEST(numbers_of_ours(pattern, any_case) == numbers_of_theirs(pattern, any_case),
                 boost::test_tools::per_element());
    }
    ++compared;
  }
  BOOST_TEST(compared >= 100U);
}

BOOST_TEST_DECORATOR(*boost::unit_test::precondition(HasRipgrep{}))
BOOST_FIXTURE_TEST_CASE(words_digits_and_spaces_of_any_language_are_theirs, Tree) {
  for (const auto& [name, bytes] : variants_of(latin_words)) folder.file("v/" + name, bytes);
  for (const auto& [name, bytes] : variants_of(wide_words)) folder.file("v/wide_" + name, bytes);
  for (const std::string& pattern : patterns_with_words()) {
    for (const bool any_case : {false, true}) {
      BOOST_TEST_CONTEXT(pattern << (any_case ? " in any case" : ""))
      BOOST_TEST(numbers_of_ours(pattern, any_case) == numbers_of_theirs(pattern, any_case),
                 boost::test_tools::per_element());
    }
  }
  BOOST_TEST(patterns_with_words().size() >= 50U);
}

BOOST_TEST_DECORATOR(*boost::unit_test::precondition(HasRipgrep{}))
BOOST_FIXTURE_TEST_CASE(what_is_replaced_is_what_they_replace, Tree) {
  folder.file("text", wide_words);
  for (const std::string& pattern : patterns_with_words()) {
    folder.file("pattern", pattern);
    const std::string theirs =
        output_of("cd " + folder.text() + " && rg --no-config -N --passthru -r '<$0>' -f pattern text");
    std::size_t places = 0;
    BOOST_TEST_CONTEXT(pattern)
    BOOST_TEST(workspace::Replacement(pattern, "<$0>", {}).apply(wide_words, wide_words, places) == theirs);
  }
}

// Each character in a line of its own.
BOOST_TEST_DECORATOR(*boost::unit_test::precondition(HasRipgrep{}))
BOOST_FIXTURE_TEST_CASE(each_character_is_of_the_classes_they_put_it_in, Tree) {
  std::string text;
  for (char32_t code = 0; code < 0x110000; ++code) {
    if (code == '\n' || code == '\r' || (code >= 0xD800 && code < 0xE000)) continue;
    const std::string character =
        code < 0x80    ? std::string{static_cast<char>(code)}
        : code < 0x800 ? std::string{char(0xC0 | code >> 6), char(0x80 | (code & 0x3F))}
        : code < 0x10000
            ? std::string{char(0xE0 | code >> 12), char(0x80 | (code >> 6 & 0x3F)), char(0x80 | (code & 0x3F))}
            : std::string{char(0xF0 | code >> 18), char(0x80 | (code >> 12 & 0x3F)), char(0x80 | (code >> 6 & 0x3F)),
                          char(0x80 | (code & 0x3F))};
    text += '<' + character + ">\n";
  }
  folder.file("text", text);
  for (const char* pattern : {"<\\w>", "<\\d>", "<\\s>", "<\\W>", "<[\\W]>", "<[^\\s]>", "<\\b.\\b>"}) {
    const workspace::LinePattern compiled{pattern, {}};
    std::string ours;
    std::size_t number = 1;
    for (std::size_t begin = 0; begin < text.size(); ++number) {
      const std::size_t end = text.find('\n', begin);
      if (compiled.find(std::string_view(text).substr(begin, end - begin), 0)) ours += std::to_string(number) + '\n';
      begin = end + 1;
    }
    const std::string theirs =
        output_of("cd " + folder.text() + " && rg --no-config -an '" + pattern + "' text | cut -d: -f1");
    BOOST_TEST((ours == theirs), pattern);
  }
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
