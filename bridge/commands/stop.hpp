// `toolwire-bridge stop`.
#pragma once

namespace toolwire::bridge {

/// Ends bridges that hosts share. Returns the exit status: 1 if there is none of those meant, or one does not end.
int stop_command(int argc, const char* const* argv);

}  // namespace toolwire::bridge
