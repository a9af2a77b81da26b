// `toolwire-bridge schema`: prints the JSON Schema of configurations, for editors.
#pragma once

namespace toolwire::bridge {

/// The command with its arguments; `argv[0]` is its own name. Returns the exit status, 2 for wrong arguments.
int schema_command(int argc, const char* const* argv);

}  // namespace toolwire::bridge
