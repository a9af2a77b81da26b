// `toolwire-bridge serve FILE…`: tools of manifests, schemas, scenarios and other MCP servers, offered to a host over
// standard input and output.
#pragma once

#include <functional>
#include <string>

#include "commands/serve_options.hpp"

namespace toolwire::bridge {

/// The program that serves, and what it can that not all can.
struct ServeProgram {
  std::string name = "toolwire-bridge";
  bool is_replica = false;  // others serve its clients when it ends, which it does in order
  ServeOptions::UseRedis use_redis = {};
  /// Makes a server reach others over NATS; empty: this program cannot.
  std::function<void(const NatsSettings&, ServeOptions&)> use_nats = {};
};

/// The command with its arguments; `argv[0]` is its own name. Serves until the host closes its end or a signal comes.
/// Returns the exit status, 2 for wrong arguments. A file, binding or tool with a problem is reported on standard error
/// and left out; the rest is served.
int serve_command(int argc, const char* const* argv, const ServeProgram& program = {});

}  // namespace toolwire::bridge
