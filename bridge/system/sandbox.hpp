// How the kernel holds processes in with filters of system calls, as this bridge's own confinement and most sandboxes
// do.
#pragma once

#include <string>

namespace toolwire::bridge {

/// Whether a process of the same user is held in by more filters than this one, or cannot be seen. What serves such a
/// process does for it what it may not do itself.
bool is_more_confined(int process);

/// The same text for processes of one sandbox: their number of filters and their namespaces.
std::string own_sandbox();

}  // namespace toolwire::bridge
