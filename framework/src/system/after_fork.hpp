// What the new process does between fork(2) and execve(2), decided before the fork.
#pragma once

#include <toolwire/system/program_start.hpp>

namespace toolwire::system {

/// A plain value.
struct AfterFork {
  const ProgramImage* image;
  const char* directory;  // or null
  int in, out;            // above 2
  int errors;             // above 2, or -1: inherited
  int failures;           // where a StartFailure goes
  ProgramStart::Group group;
  bool ends_with_parent;
  std::span<const StartStep> steps;
};

}  // namespace toolwire::system
