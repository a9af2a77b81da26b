// `toolwire-bridge attach`: what a host starts in the place of `serve`, so that all hosts of a user share one bridge.
#pragma once

namespace toolwire::bridge {

/// Becomes `toolwire-attach`, and returns only if it could not: the exit status. While there is one thread.
int attach_command(int argc, const char* const* argv);

}  // namespace toolwire::bridge
