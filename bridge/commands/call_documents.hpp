// `toolwire-bridge call FILE`: runs a document that a model filled, without a server.
#pragma once

namespace toolwire::bridge {

/// The command with its arguments; `argv[0]` is its own name. Prints `{results: […]}`. Returns the exit status: 1 if a
/// call failed or a file has problems, 2 for wrong arguments.
int call_command(int argc, const char* const* argv);

}  // namespace toolwire::bridge
