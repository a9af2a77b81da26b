// The last steps between fork(2) and execve(2) of a confined program. Only async-signal-safe calls: no memory is taken,
// nothing is thrown, no lock is touched. What is refused was decided before, see prepared.hpp.
#pragma once

#include <linux/filter.h>
#include <sys/resource.h>

#include <cstddef>

namespace toolwire::bridge {

/// One bound of setrlimit(2). A plain value.
struct ResourceBound {
  __rlimit_resource resource;
  rlim_t value;
};

/// Everything is refused by what this points to, which outlives the fork. A plain value.
struct ConfinementSteps {
  const ResourceBound* bounds = nullptr;
  std::size_t bound_count = 0;
  int control_group = -1;  ///< cgroup.procs of the group to enter.
  bool is_confined = false;
  int rules = -1;                      ///< Of Landlock.
  bool reads_own_process = false;      ///< To be added to the rules.
  const sock_fprog* filter = nullptr;  ///< Of system calls.
};

/// Into the control group, and the bounds. False with errno.
bool apply_limits(const ConfinementSteps& steps);

/// Removes every right that is not granted. After this only execve remains. False with errno.
bool apply_confinement(const ConfinementSteps& steps);

}  // namespace toolwire::bridge
