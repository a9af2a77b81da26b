// `toolwire-cluster work CONFIG`: the tools of a configuration, for replicas that reach them over NATS.
#pragma once

#include "commands/serve_options.hpp"

namespace toolwire::bridge::cluster {

/// The command with its arguments; `argv[0]` is its own name. Works until a signal comes, and then until what it has
/// begun is answered. Returns the exit status, 2 for wrong arguments and for a configuration that cannot be used.
int work_command(int argc, const char* const* argv, const ServeOptions::UseRedis& use_redis);

}  // namespace toolwire::bridge::cluster
