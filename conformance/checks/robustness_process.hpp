// What the checks of the server as a process share.
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "checks/robustness.hpp"
#include "probe/check.hpp"

namespace toolwire::conformance {

std::span<const Check> robustness_surroundings_checks();

namespace whole_process {

inline void expect_end(Probe& probe, Session& session, std::chrono::milliseconds limit, const std::string& after_what) {
  if (!session.process().wait_for_end(limit))
    probe.broken("an end within " + std::to_string(limit.count()) + " ms after " + after_what,
                 "the server is still running");
}

inline std::string shell_quoted(const std::vector<std::string>& command) {
  std::string text;
  for (const std::string& word : command) {
    text += " '";
    for (char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += "'";
  }
  return text;
}

}  // namespace whole_process

}  // namespace toolwire::conformance
