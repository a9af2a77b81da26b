// `toolwire-bridge accept [SERVER [TOOL…]]`: shows how tools of servers have changed since they were accepted, and
// accepts that.
#pragma once

namespace toolwire::bridge {

/// The command with its arguments; `argv[0]` is its own name. Returns the exit status: 1 if there is nothing of this
/// name to accept, 2 for wrong arguments.
int accept_command(int argc, const char* const* argv);

}  // namespace toolwire::bridge
