// The table of what Streamable HTTP has to do (tests/http_requirements.md) names tests that are there, for all of it.
#define BOOST_TEST_MODULE http_requirements_test
#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

const fs::path tests = fs::path(TOOLWIRE_SOURCE_DIR) / "tests";

struct Row {
  std::string id;
  std::string named;  // its last cell
};

std::vector<Row> rows() {
  std::vector<Row> found;
  std::ifstream page(tests / "http_requirements.md");
  for (std::string line; std::getline(page, line);) {
    std::smatch cells;
    if (std::regex_match(line, cells, std::regex(R"(\| ([^|]+) \| ([^|]+) \| ([^|]+) \|)")))
      found.push_back({cells[1], cells[3]});
  }
  return found;
}

bool has_case(const std::string& file, const std::string& name) {
  const std::regex begin("_TEST_CASE\\(" + name + "[,)]");
  for (const char* const folder : {"unit", "process"}) {
    if (std::regex_search(content_of(tests / folder / (file + ".cpp")), begin)) return true;
  }
  return false;
}

/// Cases belong to the files before them: `one_test`, `other_test`: `a_case`, `another`; `next_test`: …
void check_cases(const Row& row) {
  std::vector<std::string> files;
  bool had_case = true;
  std::size_t count = 0;
  const std::regex word("`([a-z0-9_]+)`");
  for (std::sregex_iterator at(row.named.begin(), row.named.end(), word), end; at != end; ++at) {
    const std::string name = (*at)[1];
    const bool is_file = name.ends_with("_test");
    if (is_file && had_case) files.clear();
    if (is_file) files.push_back(name);
    had_case = !is_file;
    if (is_file) continue;
    ++count;
    BOOST_TEST(!files.empty(), row.id);
    for (const std::string& file : files)
      BOOST_TEST(has_case(file, name), "row " << row.id << ": " << file << ": " << name);
  }
  BOOST_TEST(count > 0U, row.id);
  BOOST_TEST(had_case, row.id << ": a file without a case");
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_case_that_is_named_is_there) {
  BOOST_TEST(rows().size() >= 13U);
  for (const Row& row : rows()) check_cases(row);
}

BOOST_AUTO_TEST_CASE(a_case_that_is_not_there_is_noticed) {
  BOOST_TEST(has_case("http_requirements_test", "each_case_that_is_named_is_there"));
  BOOST_TEST(!has_case("http_requirements_test", "each_case_that_is_named"));
  BOOST_TEST(!has_case("http_handler_requests_test", "each_case_that_is_named_is_there"));
  BOOST_TEST(!has_case("no_such_test", "each_case_that_is_named_is_there"));
}

BOOST_AUTO_TEST_CASE(each_requirement_has_a_row) {
  const fs::path list = fs::path(TOOLWIRE_SHARED_DIR) / "http.md";
  if (!fs::exists(list)) {
    BOOST_TEST_MESSAGE("the list of requirements is not there: left out");
    return;
  }
  std::set<std::string> known;
  for (const Row& row : rows()) known.insert(row.id);
  const std::string text = content_of(list);
  const std::regex number("(^|\n)([0-9]+)\\. ");
  std::size_t count = 0;
  for (std::sregex_iterator at(text.begin(), text.end(), number), end; at != end; ++at) {
    BOOST_TEST(known.contains((*at)[2]), (*at)[2]);
    ++count;
  }
  BOOST_TEST(count == 12U);
  BOOST_TEST(known.contains("x-mcp-header"));
}
