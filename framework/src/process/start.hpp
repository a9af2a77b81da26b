// From a Program to a running process, or an error that says what went wrong. Independent of talking to the process and
// ending it.
#pragma once

#include <toolwire/child_process.hpp>

#include <toolwire/system/program_start.hpp>

namespace toolwire::process {

/// A process that has reached its program. Throws as the constructor of ChildProcess.
system::StartedProgram start(const Program& program);

}  // namespace toolwire::process
