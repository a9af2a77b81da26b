// The servers of this project under the whole suite: no FAIL, no WARN, and in each revision just the checks that
// conformance/README.md says cannot be judged: a suite that calls nothing would prove nothing.
#include "conformance_run.hpp"

#define BOOST_TEST_MODULE conformance_quiet_test
#include <boost/test/unit_test.hpp>

#include <map>
#include <sstream>

#include "file_content.hpp"
#include "scratch_folder.hpp"

using toolwire::Json;
using toolwire::to_json_text;
using toolwire_test::conformance;
using toolwire_test::ConformanceRun;
using toolwire_test::content_of;
using toolwire_test::left_something;
using toolwire_test::ScratchFolder;

namespace {

using Skips = std::map<std::string, int>;  // by revision

std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> cells;
  std::istringstream text(row);
  for (std::string cell; std::getline(text, cell, '|');) {
    const std::size_t begin = cell.find_first_not_of(" `");
    const std::size_t end = cell.find_last_not_of(" `");
    if (begin != std::string::npos) cells.push_back(cell.substr(begin, end - begin + 1));
  }
  return cells;
}

/// The row of `server` in the table of the README that begins with "| server |".
Skips expected_skips(const std::string& server) {
  std::istringstream readme(content_of(TOOLWIRE_SOURCE_DIR "/conformance/README.md"));
  std::vector<std::string> revisions;
  for (std::string line; std::getline(readme, line);) {
    if (line.starts_with("| server | 20")) revisions = cells_of(line);
    if (revisions.empty() || !line.starts_with("| `" + server + "`")) continue;
    const std::vector<std::string> cells = cells_of(line);
    Skips skips;
    for (std::size_t i = 1; i < cells.size() && i < revisions.size(); ++i) skips[revisions[i]] = std::stoi(cells[i]);
    return skips;
  }
  return {};
}

struct Found {
  Skips skips = {};
  std::map<std::string, std::string> reasons = {};  // of the skips, by revision
};

Found found_by(const ConformanceRun& run) {
  Found found;
  const Json report = run.json();
  for (const Json& check : report.at("checks").as_array()) {
    const std::string revision(check.at("revision").as_string());
    const std::string what = std::string(check.at("id").as_string()) + " (" + revision + ")";
    BOOST_TEST((check.at("verdict") != "FAIL" && check.at("verdict") != "WARN"), check.at("verdict")
                                                                                     << " " << what << "\n"
                                                                                     << to_json_text(check));
    if (check.at("verdict") != "SKIP") continue;
    ++found.skips[revision];
    found.reasons[revision] += "\n  " + what + ": " + std::string(check.at("message").as_string());
  }
  return found;
}

void expect_quiet(const std::string& server, std::vector<std::string> command) {
  command.insert(command.begin(), {"--json", "-", "--"});
  const ConformanceRun run = conformance(command);
  BOOST_TEST_MESSAGE(run.errors);
  BOOST_TEST(run.status == 0);
  Found found = found_by(run);
  const Skips expected = expected_skips(server);
  BOOST_TEST(expected.size() == 5U);
  for (const auto& [revision, count] : expected) {
    const auto skips = found.skips.find(revision);
    const int really = skips != found.skips.end() ? skips->second : 0;
    BOOST_TEST(really == count, server << " in " << revision << ": " << really << " skipped, " << count
                                       << " stated in conformance/README.md" << found.reasons[revision]);
  }
  BOOST_TEST(!left_something(run));
}

const std::string bin = TOOLWIRE_BIN_DIR;

}  // namespace

BOOST_AUTO_TEST_CASE(hello) { expect_quiet("hello", {bin + "/hello"}); }

BOOST_AUTO_TEST_CASE(everything) { expect_quiet("everything", {bin + "/everything"}); }

BOOST_AUTO_TEST_CASE(workspace) {
  const ScratchFolder folder;
  folder.file("read.me", "a text to find\n");
  folder.file("below/more.txt", "more\n");
  expect_quiet("workspace", {bin + "/workspace", "--root", folder.text()});
}

/// The manifest of the discovery document, its tool answered with a constant.
BOOST_AUTO_TEST_CASE(bridge) {
  const ScratchFolder folder;
  folder.file("tools.json", content_of(TOOLWIRE_SOURCE_DIR "/tests/support/data/seed_manifest.json"));
  folder.file("tools.bindings.json",
              R"j({"bindings": {"spawn_coding_agent": {"constant": {"result": {"run_id": "r-1"}}}}})j");
  expect_quiet("toolwire-bridge", {bin + "/toolwire-bridge", "serve", (folder / "tools.json").string()});
}
