// A bridge that many hosts share: it listens on a socket, and ends when nobody was attached for a while.
#pragma once

#include "commands/listen_options.hpp"
#include "commands/served_bridge.hpp"

namespace toolwire::bridge {

/// Serves until it is idle, or SIGTERM or SIGINT arrives, which are blocked in every thread; what was asked by then is
/// answered. Returns the exit status. Throws std::system_error if the socket cannot be had, as where another process
/// listens on it; and as ServedBridge::start.
int run_shared(ServedBridge& served, const ServeOptions& options, const Listening& listening);

}  // namespace toolwire::bridge
