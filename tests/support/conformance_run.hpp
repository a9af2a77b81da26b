// Runs toolwire-conformance and keeps what it printed. Knows no check.
#pragma once

#include <toolwire/child_process.hpp>
#include <toolwire/json.hpp>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "file_content.hpp"
#include "program_run.hpp"

namespace toolwire_test {

struct ConformanceRun : ProgramRun {
  bool says(const std::string& part) const { return (out + errors).find(part) != std::string::npos; }
  toolwire::Json json() const { return toolwire::parse_json(out); }
};

inline ConformanceRun conformance(const std::vector<std::string>& arguments) {
  toolwire::Program program{.command = {TOOLWIRE_BIN_DIR "/toolwire-conformance"}, .kept_errors = std::size_t{1} << 20};
  program.command.insert(program.command.end(), arguments.begin(), arguments.end());
  return {run_program(program)};
}

/// Whether a process that the run started, or a descendant of one, is still there. All carry its mark in their
/// environment.
inline bool left_something(const ConformanceRun& run) {
  const std::string mark = "TOOLWIRE_CONFORMANCE_RUN=" + std::to_string(run.id) + "-";
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    if (content_of(entry.path() / "environ").find(mark) != std::string::npos) return true;
  }
  return false;
}

}  // namespace toolwire_test
