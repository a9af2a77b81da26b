// The examples of the framework and the pages that quote them: what a page shows stands in the program, every program
// is in the list, tried by a test and short.
#define BOOST_TEST_MODULE examples_pages_test
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;
const fs::path top(TOOLWIRE_SOURCE_DIR);
const fs::path folder = top / "framework/examples";

/// What may be longer than forty lines, and how long: whole programs.
const std::map<std::string, std::size_t> long_ones{{"engine_loop", 90}, {"sqlite_server", 90}, {"wrapped_library", 90}};

std::string contents(const fs::path& path) {
  std::ifstream file(path);
  BOOST_REQUIRE_MESSAGE(file, path << " cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<fs::path> programs() {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".cpp") found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

/// A block of code on a page, and the file that the line before it links to or names: pages outside of the folder only
/// name it, as it may be gone.
struct Quote {
  fs::path file;
  std::vector<std::string> lines;
};

std::vector<Quote> quotes_on(const fs::path& page) {
  const std::string text = contents(page);
  const std::regex block("(\\]\\(|`framework/examples/)([^)`\n]*\\.cpp)[)`][^\n]*\n\n?```cpp\n([^`]*)```");
  std::vector<Quote> quotes;
  for (std::sregex_iterator match(text.begin(), text.end(), block), end; match != end; ++match) {
    const fs::path from = (*match)[1] == "](" ? page.parent_path() : folder;
    quotes.push_back({(from / (*match)[2].str()).lexically_normal(), lines_of((*match)[3])});
  }
  return quotes;
}

/// `lines` as they stand at a place of a file, all moved by the same blanks.
bool stands_at(const std::vector<std::string>& file, std::size_t place, const std::vector<std::string>& lines) {
  const std::size_t blanks = file[place].size() - std::min(file[place].size(), lines[0].size());
  const auto is_same = [&](const std::string& in_file, const std::string& quoted) {
    return quoted.empty() ? in_file.empty() : in_file == std::string(blanks, ' ') + quoted;
  };
  return place + lines.size() <= file.size() &&
         std::equal(lines.begin(), lines.end(), file.begin() + static_cast<std::ptrdiff_t>(place),
                    [&](const std::string& quoted, const std::string& in_file) { return is_same(in_file, quoted); });
}

bool stands_in(const Quote& quote) {
  const std::vector<std::string> file = lines_of(contents(quote.file));
  for (std::size_t place = 0; place < file.size(); ++place)
    if (stands_at(file, place, quote.lines)) return true;
  return false;
}

std::vector<fs::path> pages() {
  std::vector<fs::path> found{top / "framework/README.md", folder / "README.md"};
  for (const auto& entry : fs::directory_iterator(top / "framework/docs"))
    if (entry.path().extension() == ".md") found.push_back(entry.path());
  return found;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_pages_show_of_examples_stands_in_them) {
  std::size_t count = 0;
  for (const fs::path& page : pages()) {
    for (const Quote& quote : quotes_on(page)) {
      BOOST_REQUIRE(!quote.lines.empty());
      BOOST_TEST(stands_in(quote), page.string()
                                       << " shows of " << quote.file << " what is not in it: " << quote.lines[0]);
      ++count;
    }
  }
  BOOST_TEST(count >= 15U);
}

BOOST_AUTO_TEST_CASE(a_quote_is_found_with_its_indentation_and_not_without_a_word) {
  const fs::path file = folder / "short_tool.cpp";
  BOOST_TEST(stands_in({file, {"std::string all;", "for (int i = 0; i < times.value_or(2); ++i) all += text;"}}));
  BOOST_TEST(!stands_in({file, {"std::string all;", "  for (int i = 0; i < times.value_or(2); ++i) all += text;"}}));
  BOOST_TEST(!stands_in({file, {"std::string every;"}}));
}

BOOST_AUTO_TEST_CASE(every_program_is_listed_tried_and_short) {
  const std::string list = contents(folder / "README.md");
  std::string tests;
  for (const auto& entry : fs::directory_iterator(top / "tests/process"))
    if (entry.path().filename().string().starts_with("examples_")) tests += contents(entry.path());
  for (const fs::path& program : programs()) {
    const std::string name = program.stem();
    BOOST_TEST(list.find("| [" + name + "](" + name + ".cpp) |") != std::string::npos, name << " is not in the list");
    BOOST_TEST(tests.find("BOOST_AUTO_TEST_CASE(" + name + ")") != std::string::npos, name << " has no test");
    const auto bound = long_ones.find(name);
    BOOST_TEST(lines_of(contents(program)).size() <= (bound == long_ones.end() ? 40U : bound->second), name);
  }
}
