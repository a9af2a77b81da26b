// Runs programs for calls: any number at once that hold no thread, each with a deadline, a bound on its output and an
// end that leaves no process behind. Independent of tools, templates and JSON.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include <toolwire/child_process.hpp>
#include <toolwire/engine.hpp>

#include "process/spawn.hpp"

namespace toolwire::bridge {

/// One run. A plain value.
struct ProcessRequest {
  using Clock = std::chrono::steady_clock;

  ProcessStart start = {};  ///< `takes_input` follows from `input`.
  std::optional<std::string> input = {};
  std::size_t output_limit = std::size_t{4} << 20;  ///< Bytes of standard output; more ends the program.
  std::size_t kept_errors = std::size_t{8} << 10;   ///< Bytes of the end of standard error.
  std::optional<Clock::time_point> deadline = {};
  std::chrono::milliseconds grace{2000};  ///< Between SIGTERM and SIGKILL.
  /// Each line of standard error as it comes, on a thread of the engine; long lines come in pieces.
  std::function<void(std::string_view line)> on_error_line = {};
};

/// How it ended. A plain value.
struct ProcessEnd {
  /// Empty if the program ended by itself, whatever its status; else "unavailable" (not started), "timeout",
  /// "cancelled", "too_large" or "busy".
  std::string code = {};
  std::string text = {};  ///< With a code: what happened.
  ExitStatus status = {};
  std::string output = {};
  std::string errors = {};  ///< The end of standard error, from the beginning of a line.
};

struct ProcessRunnerOptions {
  std::size_t max_running = 128;        ///< At once; further runs wait for their turn.
  std::size_t max_waiting = 4'096;      ///< Beyond: "busy".
  std::shared_ptr<Engine> engine = {};  ///< Whose threads it works on; empty: of its own.
};

/// Thread-safe. Calls under way share it, and the last share may be dropped in a callback, for which destruction would
/// wait: so its owner closes it first.
class ProcessRunner {
 public:
  /// Called once, on a thread of the engine (once the runner is closed, on the caller's), one at a time: keep it short.
  /// It must not throw. A program that was told to end may still be ending then.
  using Callback = std::function<void(ProcessEnd&&)>;

  explicit ProcessRunner(ProcessRunnerOptions options = {});
  ProcessRunner(const ProcessRunner&) = delete;
  ProcessRunner& operator=(const ProcessRunner&) = delete;
  /// Closes it. Not in a callback, unless it was closed before.
  ~ProcessRunner();

  /// Ends all programs, with all they have started, answers them and what comes later with "cancelled". Not
  /// in a callback.
  void close();

  void start(ProcessRequest request, std::stop_token stop, Callback callback);

  /// Waits for the end. Not in a callback.
  ProcessEnd run(ProcessRequest request, std::stop_token stop = {});

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace toolwire::bridge
