// The command line of toolwire-conformance as values. Starts nothing.
#pragma once

#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

#include "checks/runner.hpp"
#include "target/target.hpp"

namespace toolwire::conformance {

/// Files to write; "-" is standard output for `json`.
struct ReportFiles {
  std::string json = {}, junit = {}, html = {}, badge = {}, sarif = {};
};

struct Options {
  enum class Action { judge, list, explain };
  enum class Colour { automatic, always, never };

  Action action = Action::judge;
  std::vector<std::string> explained = {};  // ids of checks or names of groups
  Target target;
  Selection selection = {};
  ReportFiles files = {};
  std::string baseline = {};  // file
  bool write_baseline = false;
  bool strict = false;                  // a WARN is a failure too
  std::chrono::milliseconds budget{0};  // of the whole run; 0: as long as it takes
  bool github = false;                  // annotations, and a summary where GITHUB_STEP_SUMMARY names a file
  bool verbose = false;                 // every finding, not only failures
  Colour colour = Colour::automatic;
  std::vector<std::string> repeat_options = {};  // see Report
};

/// Nothing to do but to write `text` and exit: help, or a command line that makes no sense (status 2).
struct UsageEnd : std::runtime_error {
  UsageEnd(int exit_status, const std::string& text) : std::runtime_error(text), status(exit_status) {}
  int status;
};

/// `arguments` without the name of the program. What stands behind the first "--" is the server's command and is not
/// looked at. Throws UsageEnd.
Options read_options(const std::vector<std::string>& arguments);

/// Reads a JSON file for the option `option`. Throws UsageEnd naming file, option and problem.
Json read_json_file(const std::string& file, const std::string& option);

}  // namespace toolwire::conformance
