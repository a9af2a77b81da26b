// `toolwire-bridge login` and `logout`: a person logs in at a remote server, for all bridges of the user.
#pragma once

namespace toolwire::bridge {

/// The commands with their arguments; `argv[0]` is their own name. Return the exit status: 1 if nobody has logged in,
/// or nobody had; 2 for wrong arguments.
int login_command(int argc, const char* const* argv);
int logout_command(int argc, const char* const* argv);

}  // namespace toolwire::bridge
