// Processes that come back to this one because the one that watched over them was killed. Independent of what started
// them.
#pragma once

namespace toolwire::bridge {

/// From now on this process, and not the system's first one, is the parent of descendants whose parents are gone, and
/// collects those that end. For the program alone, before it has other threads or processes: SIGCHLD is blocked in all
/// of them, and a library must not take over the processes of its host.
void adopt_orphans();

/// Ends (SIGKILL) and collects all children that `system::start_program` has not started here, and what comes back from
/// them in turn. Waits a bounded time for what the kernel does not let go. Nothing happens before `adopt_orphans`.
/// Thread-safe.
void end_orphans();

}  // namespace toolwire::bridge
