// `toolwire-bridge import openapi FILE`: a description of a service as tools and bindings, written once.
#pragma once

namespace toolwire::bridge {

/// The command with its arguments; `argv[0]` is its own name. Returns the exit status: 1 if nothing was written, 2 for
/// wrong arguments.
int import_command(int argc, const char* const* argv);

}  // namespace toolwire::bridge
