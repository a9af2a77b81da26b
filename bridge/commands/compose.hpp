// `toolwire-bridge compose FILE…`: the schema of all tools that a host can hand to any model.
#pragma once

namespace toolwire::bridge {

/// The command with its arguments; `argv[0]` is its own name. Returns the exit status: 1 for files with problems, which
/// go to standard error, 2 for wrong arguments.
int compose_command(int argc, const char* const* argv);

}  // namespace toolwire::bridge
