// Runs toolwire-conformance and keeps what it printed. Knows no check.
#pragma once

#include <toolwire/child_process.hpp>
#include <toolwire/json.hpp>

#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace toolwire_test {

struct ConformanceRun {
  int status = -1;
  pid_t id = -1;
  std::string out = {};
  std::string error = {};
  bool says(const std::string& part) const { return (out + error).find(part) != std::string::npos; }
  toolwire::Json json() const { return toolwire::parse_json(out); }
};

/// Waits for its end: the test's own time limit ends one that hangs.
inline ConformanceRun conformance(const std::vector<std::string>& arguments) {
  toolwire::Program program{.command = {TOOLWIRE_BIN_DIR "/toolwire-conformance"}, .kept_errors = std::size_t{1} << 20};
  program.command.insert(program.command.end(), arguments.begin(), arguments.end());
  toolwire::ChildProcess process(program);
  process.close_input();
  ConformanceRun run{.id = process.id()};
  std::array<char, 4096> bytes{};
  for (std::ptrdiff_t count = 0; (count = process.transport().read(bytes.data(), bytes.size())) > 0;)
    run.out.append(bytes.data(), static_cast<std::size_t>(count));
  run.status = process.wait().code;
  run.error = process.error_tail();
  return run;
}

/// Whether a process that the run started, or a descendant of one, is still there. All carry its mark in their
/// environment.
inline bool left_something(const ConformanceRun& run) {
  const std::string mark = "TOOLWIRE_CONFORMANCE_RUN=" + std::to_string(run.id) + "-";
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    std::ifstream file(entry.path() / "environ", std::ios::binary);
    const std::string variables{std::istreambuf_iterator<char>(file), {}};
    if (variables.find(mark) != std::string::npos) return true;
  }
  return false;
}

}  // namespace toolwire_test
