// `toolwire-bridge status`.
#pragma once

namespace toolwire::bridge {

/// Prints how the running bridges of this user are doing. Returns the exit status: 1 if none runs.
int status_command(int argc, const char* const* argv);

}  // namespace toolwire::bridge
