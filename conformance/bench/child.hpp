// A server under measurement as a child process on two pipes, and what the kernel says about it. Does not interpret
// what goes through the pipes.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace toolwire::bench {

/// Splits a command line at blanks; single and double quotes keep blanks together. Throws std::invalid_argument when it
/// is empty or a quote is not closed. No shell is used, so that its start is not measured.
std::vector<std::string> split_command(const std::string& command);

/// Memory and threads of a process as /proc/PID/status states them; zeros if the process has ended.
struct Footprint {
  double resident_mb = 0;  ///< VmRSS, in 1 000 000 bytes
  double peak_mb = 0;      ///< VmHWM, in 1 000 000 bytes
  int threads = 0;
};

/// One running process. Owns its descriptors; destroying it kills and reaps the process. One thread only, and one Child
/// at a time: an alarm kills a child that outlives `lifetime`, which ends every wait for it.
class Child {
 public:
  /// Starts the program. The child inherits the caller's affinity; its stderr goes to /dev/null unless `show_stderr`.
  /// Throws std::system_error.
  Child(const std::vector<std::string>& arguments, std::chrono::seconds lifetime, bool show_stderr);
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child();

  pid_t pid() const { return pid_; }          ///< -1 once the process is reaped
  int input() const { return to_child_; }     ///< what the child reads; writes to it do not block
  int output() const { return from_child_; }  ///< what the child writes; reads from it block

  void close_input();
  bool wait_for_exit(std::chrono::milliseconds limit);  ///< true when the process ended in time; it is then reaped
  void kill();                                          ///< ends the process at once and reaps it

  double cpu_microseconds() const;  ///< user and system time of all threads so far
  Footprint footprint() const;

 private:
  void spawn(const std::vector<std::string>& arguments, int child_in, int child_out, bool show_stderr);
  void reap();

  pid_t pid_ = -1;
  int to_child_ = -1;
  int from_child_ = -1;
};

/// While it lives, this thread and the children it starts run on one CPU.
class OneCpu {
 public:
  OneCpu();  ///< throws std::system_error
  OneCpu(const OneCpu&) = delete;
  OneCpu& operator=(const OneCpu&) = delete;
  ~OneCpu();

 private:
  std::vector<std::byte> before_;
};

}  // namespace toolwire::bench
