// The example in the top README is a program that is built, and links between pages lead somewhere.
#define BOOST_TEST_MODULE readme_test
#include <boost/test/unit_test.hpp>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

std::string contents(const std::string& path) {
  std::ifstream file(std::string(TOOLWIRE_SOURCE_DIR) + "/" + path);
  BOOST_REQUIRE_MESSAGE(file, path << " cannot be read");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

namespace fs = std::filesystem;

/// Without blocks and spans of code, in which brackets are no links.
std::string prose(const std::string& page) {
  return std::regex_replace(std::regex_replace(page, std::regex("```[^`]*```"), ""), std::regex("`[^`\n]*`"), "");
}

/// The part of an address that stands for a heading: small letters, digits, - and _, and - for a blank.
std::string anchor(const std::string& heading) {
  std::string text;
  for (const char c : std::regex_replace(heading, std::regex(R"(\[([^\]]*)\]\([^)]*\))"), "$1")) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '-' || c == '_') text += static_cast<char>(std::tolower(byte));
    if (c == ' ') text += '-';
  }
  return text;
}

std::set<std::string> anchors(const std::string& page) {
  const std::string text = std::regex_replace(page, std::regex("```[^`]*```"), "");
  const std::regex heading("(^|\n)#+ ([^\n]+)");
  std::set<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), heading), end; match != end; ++match)
    found.insert(anchor((*match)[2]));
  return found;
}

/// All pages of the repository, by paths from its top.
std::vector<std::string> pages() {
  const fs::path top(TOOLWIRE_SOURCE_DIR);
  const std::set<std::string> skipped{"build", "node_modules", ".git"};
  std::vector<std::string> found;
  for (fs::recursive_directory_iterator entry(top), end; entry != end; ++entry) {
    if (entry->is_directory() && skipped.contains(entry->path().filename())) entry.disable_recursion_pending();
    if (entry->is_regular_file() && entry->path().extension() == ".md")
      found.push_back(fs::relative(entry->path(), top).string());
  }
  return found;
}

void require_target(const std::string& page, std::string target, const std::string& part) {
  const fs::path top(TOOLWIRE_SOURCE_DIR);
  target = target.empty() ? page : (fs::path(page).parent_path() / target).lexically_normal().string();
  BOOST_TEST(fs::exists(top / target), page << " leads to " << target);
  if (part.empty() || !fs::exists(top / target)) return;
  if (fs::is_directory(top / target)) target += "/README.md";
  BOOST_TEST(anchors(contents(target)).contains(part), page << " leads to " << target << "#" << part);
}

BOOST_AUTO_TEST_CASE(links_lead_to_pages_and_headings_that_are_there) {
  const std::regex link(R"(\]\(([^)#\s]*)(#([^)\s]*))?\))"), of_the_web("[a-z]+:.*");
  std::size_t count = 0;
  for (const std::string& page : pages()) {
    const std::string text = prose(contents(page));
    for (std::sregex_iterator match(text.begin(), text.end(), link), end; match != end; ++match) {
      if (std::regex_match((*match)[1].str(), of_the_web)) continue;
      require_target(page, (*match)[1], (*match)[3]);
      ++count;
    }
  }
  BOOST_TEST(count > 100U);
}

BOOST_AUTO_TEST_CASE(the_example_is_the_hello_server_word_for_word) {
  std::string hello = contents("servers/hello/main.cpp");
  BOOST_TEST(contents("README.md").find("```cpp\n" + hello + "```") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(every_folder_it_names_has_a_readme) {
  for (const char* folder : {"framework", "bridge", "conformance", "servers", "tests"}) {
    std::string readme = std::string(folder) + "/README.md";
    BOOST_TEST(contents("README.md").find("(" + readme + ")") != std::string::npos, readme);
    BOOST_TEST(!contents(readme).empty());
  }
}

}  // namespace
