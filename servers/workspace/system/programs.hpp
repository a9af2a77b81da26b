// Runs programs (git, ctags) for a server that has confined itself: read only, without network, and without the right
// to start others, whatever a repository or file makes them want. Independent of what they are for.
#pragma once

#include <cstddef>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "workspace/system/call_frames.hpp"
#include "workspace/system/program_helper.hpp"

namespace workspace {

/// How a run ended, and what it wrote.
struct ProgramOutput {
  int exit_status = 0;  // 0 to 255
  std::string output = {};
  std::string errors = {};  // of long ones the beginning
  bool is_cut = false;      // there was more than was wanted: the program was ended
};

/// Any number of threads may use one.
class Programs {
 public:
  /// What a program may read besides itself, by its name in PATH.
  struct Wanted {
    std::string name;
    std::vector<std::string> read = {};
  };

  /// None: every use says `reason`.
  explicit Programs(std::string reason = "this server starts no programs") : reason_(std::move(reason)) {}

  /// Looks for the programs in `folders` (as in PATH) and forks the helper: before confine_process and before the first
  /// thread. What is missing is told by `problem`.
  static Programs start(const std::vector<Wanted>& wanted, const std::string& folders);

  Programs(Programs&&) noexcept = default;
  Programs& operator=(Programs&&) = delete;
  ~Programs() = default;

  /// Why this program cannot be run; empty if it can.
  std::string problem(const std::string& name) const;

  /// Runs it to its end. Throws ToolError if it cannot be started or a stop is requested; a failure of its own is an
  /// exit status.
  ProgramOutput run(const ProgramRun& run, const std::stop_token& stop, std::size_t most = default_most) const;

  static constexpr std::size_t default_most = std::size_t{8} << 20;  // bytes of output

 private:
  std::string reason_;
  std::map<std::string, std::string> problems_;  // by name; empty: there is none
  HelperProcess helper_;
};

}  // namespace workspace
