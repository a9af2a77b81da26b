// A started server with an open session of revision 2025-06-18: what every measure begins with.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "bench/child.hpp"
#include "bench/connection.hpp"
#include "bench/messages.hpp"

namespace toolwire::bench {

/// A server to measure.
struct Candidate {
  std::string name;
  std::vector<std::string> command;
  bool show_stderr = false;
  Tools tools = {};
};

/// Anything that makes a measure's number meaningless: a wrong id, an error where an answer was due.
struct MeasureFailed : std::runtime_error {
  using runtime_error::runtime_error;
};

/// Child and connection together; destroying it kills the server. One thread, one session at a time.
class Session {
 public:
  /// Starts the server and shakes hands. Throws MeasureFailed, ServerGone or std::system_error.
  explicit Session(const Candidate& candidate);

  Child& child() { return child_; }
  Connection& wire() { return wire_; }
  /// From just before the process was created until its answer to `initialize` was read.
  Clock::duration start_up() const { return start_up_; }

  /// Asks with `tools/list`.
  bool has_tool(std::string_view tool);
  /// Sends one line and returns the answer to `id`, passing over notifications. Throws MeasureFailed for the answer to
  /// another id.
  std::string_view ask(std::string_view line, Id id);
  /// The answer to `id`, passing over everything else; nothing when it has not come at `limit`.
  std::optional<std::string_view> answer_before(Id id, Time limit);

 private:
  void shake_hands();

  Time started_ = Clock::now();  // before child_: members are initialized in this order
  Child child_;
  Connection wire_;
  Clock::duration start_up_{};
};

}  // namespace toolwire::bench
