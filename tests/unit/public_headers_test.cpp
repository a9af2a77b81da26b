// The public headers of the framework are its manual: few, and free of machinery. That each compiles alone is shown by
// the tests public_header.*.
#define BOOST_TEST_MODULE the public headers of the framework
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

const fs::path root = TOOLWIRE_SOURCE_DIR;

bool is_source(const fs::path& file) { return file.extension() == ".cpp" || file.extension() == ".hpp"; }

std::vector<std::string> lines_of(const fs::path& file) {
  std::ifstream stream(file);
  BOOST_REQUIRE_MESSAGE(stream, "cannot read " << file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The locks, the asking of stores, the loop, the clock of a call, the waits between starts and what schemas ignore are
/// no machinery of the framework alone: all parts of the repository share them.
bool names_what_all_share(const std::string& line) {
  static constexpr std::array shared{
      "/mutex.hpp",   "/shared_mutex.hpp", "/condition_variable.hpp", "/asking.hpp",    "/call_clock.hpp",
      "/what_of.hpp", "/event_loop.hpp",   "/back_off.hpp",           "/task_work.hpp", "/unknown_keywords.hpp"};
  return std::ranges::any_of(shared, [&](const char* header) { return line.find(header) != std::string::npos; });
}

bool includes_machinery(const fs::path& file) {
  const std::vector<std::string> lines = lines_of(file);
  return std::ranges::any_of(lines, [](const std::string& line) {
    return line.starts_with("#include") && line.find("toolwire/detail/") != std::string::npos &&
           !names_what_all_share(line);
  });
}

/// What a header says before its first line of code.
std::string opening_comment(const fs::path& file) {
  std::string comment;
  for (const std::string& line : lines_of(file)) {
    if (!line.starts_with("//")) break;
    comment += line;
  }
  return comment;
}

}  // namespace

BOOST_AUTO_TEST_CASE(users_have_few_headers_to_read_and_each_says_what_it_is) {
  int headers = 0;
  for (const auto& entry : fs::directory_iterator(root / "framework/include/toolwire")) {
    if (entry.path().extension() != ".hpp") continue;
    ++headers;
    BOOST_TEST(opening_comment(entry.path()).size() > 40, entry.path() << " does not say what it is");
  }
  BOOST_TEST(headers > 0);
  BOOST_TEST(headers <= 34);
}

BOOST_AUTO_TEST_CASE(machinery_is_included_by_the_framework_alone) {
  for (const char* const part : {"bridge", "conformance", "servers"}) {
    if (!fs::exists(root / part)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / part)) {
      if (!entry.is_regular_file() || !is_source(entry.path())) continue;
      BOOST_TEST(!includes_machinery(entry.path()), entry.path() << " includes toolwire/detail/");
    }
  }
}

BOOST_AUTO_TEST_CASE(a_context_offers_users_nothing_that_ties_it_to_a_request) {
  for (const std::string& line : lines_of(root / "framework/include/toolwire/context.hpp")) {
    for (const char* const name : {"stop_by(", "log_to(", "ask_by(", "called_by(", "report_progress_to("})
      BOOST_TEST(line.find(name) == std::string::npos, line);
  }
}
