// What the new process does between fork(2) and execve(2), where only async-signal-safe calls are allowed: no memory is
// taken, nothing is thrown, no lock is touched.
#pragma once

#include <sys/types.h>

namespace toolwire::process {

class ProgramImage;

/// All that was decided before the fork. A plain value.
struct AfterFork {
  const ProgramImage* image;
  const char* directory;  // or null
  int in, out;            // above 2
  int errors;             // above 2, or -1: inherited
  int failures;           // where a StartFailure goes
  bool own_group;
  bool end_with_parent;
  pid_t parent;
};

/// Why the program does not run; written to the pipe in one piece.
struct StartFailure {
  enum class Step { group, streams, directory, exec };
  Step step;
  int error;
};

[[noreturn]] void become_program(const AfterFork& plan);

}  // namespace toolwire::process
