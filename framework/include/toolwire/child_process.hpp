// Starts a program, exchanges bytes with it over its standard input and output, and makes sure that it ends. Does not
// look at what is sent.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <toolwire/system/process_id.hpp>
#include <toolwire/transport.hpp>

namespace toolwire {

/// What to start and how. A plain value.
struct Program {
  /// What becomes of its standard error: it goes where that of this process goes, it is thrown away, or its end is kept
  /// for `ChildProcess::error_tail`.
  enum class Errors { inherit, discard, keep_tail };
  /// What its standard input and output are: two pipes, or one socket for both, as some hosts use.
  enum class Streams { pipes, socket };

  /// The program and its arguments. A name without a slash is looked up in the PATH the program gets; a relative path
  /// with one counts from `directory`.
  std::vector<std::string> command = {};
  /// Added to the environment of this process, or all of it without `inherit_environment`.
  std::map<std::string, std::string> environment = {};
  bool inherit_environment = true;
  std::string directory = {};  ///< Where it runs; empty: that of this process.
  Errors errors = Errors::keep_tail;
  std::size_t kept_errors = std::size_t{16} << 10;  ///< Bytes, with Errors::keep_tail.
  Streams streams = Streams::pipes;
  /// A process group of its own: signals reach its children too, and none of them outlives it.
  bool own_group = false;
  /// The system kills it when this process ends, for whatever reason.
  bool end_with_parent = false;

  /// That a descriptor is waited for. Its destruction ends that: a call that is going on is waited for, unless it
  /// happens in that call, and there is no further one.
  using Watch = std::shared_ptr<void>;
  /// With Errors::keep_tail: who waits for what it writes to standard error and calls the function as long as there is
  /// something, one call at a time; called once. Empty: a thread of its own.
  std::function<Watch(int descriptor, std::function<void()> readable)> watch = {};
};

/// How a process ended.
struct ExitStatus {
  int code = -1;   ///< What it returned, or -1.
  int signal = 0;  ///< What killed it, or 0.

  [[nodiscard]] bool success() const { return code == 0; }
  /// "exited with status 3", "was killed by signal 11 (Segmentation fault)", "ended with an unknown status".
  [[nodiscard]] std::string text() const;
  bool operator==(const ExitStatus&) const = default;
};

/// A running program. It inherits descriptors 0, 1 and 2 and no others, no blocked and no ignored signals.
/// All functions may be called from any thread, except that `transport` follows the rules of Transport. The
/// destructor stops the program; nobody may use the transport any more then.
class ChildProcess {
 public:
  /// How long `stop` waits before its next, harsher step.
  struct Grace {
    std::chrono::milliseconds after_end_of_input{2000};
    std::chrono::milliseconds after_terminate{2000};
  };

  /// Throws std::invalid_argument if the command or the environment cannot be passed on, and std::system_error, naming
  /// the program, the step and the reason, if it does not start.
  explicit ChildProcess(const Program& program);
  ChildProcess(ChildProcess&&) noexcept;
  ChildProcess& operator=(ChildProcess&&) noexcept;
  ~ChildProcess();

  [[nodiscard]] system::ProcessId id() const;

  /// Its standard output to read from and its standard input to write to. Reading ends when the program has ended and
  /// all it wrote is read, even if a process it left behind still holds the stream.
  [[nodiscard]] Transport& transport();

  /// Closes its standard input, so that it reads the end of input. A write that is waiting returns `peer_gone`.
  void close_input();

  /// Sends a signal to it, or to all of its group if it has one of its own. Does nothing if it has ended.
  void signal(int number);
  /// Ends it at once, with its group if it has its own.
  void kill();

  /// How it ended, or nothing while it runs.
  [[nodiscard]] std::optional<ExitStatus> exit_status();
  /// Waits for its end, for at most `time`; no value if it still runs then.
  [[nodiscard]] std::optional<ExitStatus> wait_for(std::chrono::milliseconds time);
  /// Waits for its end.
  ExitStatus wait();

  /// Closes its input, waits, sends SIGTERM, waits, sends SIGKILL. If the program has ended, only returns how.
  /// Does not wait for processes it left behind.
  ExitStatus stop() { return stop(Grace{}); }
  ExitStatus stop(Grace grace);

  /// The end of what it wrote to standard error, with Errors::keep_tail: whole lines, unless the last line alone is
  /// longer. Complete once `wait`, `wait_for`, `stop` or `exit_status` has returned how the program ended.
  [[nodiscard]] std::string error_tail() const;

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace toolwire
