// What the keeper and the program do between fork(2) and execve(2), where only async-signal-safe calls are allowed: no
// memory is taken, nothing is thrown, no lock is touched.
#pragma once

#include <sys/types.h>

#include "confinement/apply.hpp"

namespace toolwire::bridge {

/// All that was decided before the fork. A plain value.
struct KeeperPlan {
  const char* path;
  char* const* arguments;
  char* const* environment;
  const char* directory;  // or null
  int input, output, errors;
  int failure;  // where a StartFailure goes
  ConfinementSteps confinement;
  const char* temporary_folder;  // goes with the program, as does the next; or null
  const char* control_group;
  pid_t bridge;
};

/// Why the program does not run; written to the pipe in one piece.
struct StartFailure {
  enum class Step : int { fork, streams, limits, directory, confinement, exec };
  Step step;
  int error;
};

/// Signals to the keeper.
int signal_to_ask();
int signal_to_end();

/// Runs in the forked process, all signals blocked.
[[noreturn]] void keep(const KeeperPlan& plan);

}  // namespace toolwire::bridge
