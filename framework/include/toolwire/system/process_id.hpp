// Processes, named by their numbers. Neither starts nor ends any.
#pragma once

namespace toolwire::system {

/// As the operating system counts processes.
using ProcessId = int;

ProcessId own_process_id();

/// Whether there is a process of that number; one that may not be signalled counts.
bool process_exists(ProcessId process);

}  // namespace toolwire::system
