// The last steps between fork(2) and execve(2) of a confined program. Only async-signal-safe calls: no memory is taken,
// nothing is thrown, no lock is touched. What is refused was decided before the fork.
#pragma once

#include <cstddef>
#include <cstdint>

#include "system/system_calls.hpp"

namespace toolwire::bridge {

/// What setrlimit(2) bounds, for each process.
enum class Resource { address_space, private_data, cpu_seconds, file_size, open_files, core_size };

/// A plain value.
struct ResourceBound {
  Resource resource;
  std::uint64_t value;
};

/// What is put into force. A plain value; what it points to outlives the start.
struct ConfinementSteps {
  const ResourceBound* bounds = nullptr;
  std::size_t bound_count = 0;
  int control_group = -1;  ///< cgroup.procs of the group to enter.
  bool is_confined = false;
  int rules = -1;                  ///< Of Landlock.
  bool reads_own_process = false;  ///< To be added to the rules.
  const SystemCallFilter* filter = nullptr;
};

/// Adds to the rules what only the new process can name: itself. To be called before its bounds are set, while it may
/// still open a file, however many of its parent's it has. False with errno.
bool complete_rules(const ConfinementSteps& steps);

/// Enters the control group and sets the bounds. False with errno.
bool apply_limits(const ConfinementSteps& steps);

/// Gives up every right that is not granted; execve comes next. False with errno.
bool apply_confinement(const ConfinementSteps& steps);

}  // namespace toolwire::bridge
