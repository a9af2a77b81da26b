// `toolwire-bridge manifest -- SERVER…`: the native manifest of any MCP server.
#pragma once

#include <string>
#include <vector>

#include <toolwire/bridge/manifest.hpp>
#include <toolwire/client.hpp>

namespace toolwire::bridge {

/// What a connected server lists. Throws as Client::request; a list that never ends is a ProtocolError.
ServedList served_list(Client& client);

/// The command with its arguments; `argv[0]` is its own name. Returns the exit status: 1 if the server cannot be asked,
/// 2 for wrong arguments.
int manifest_command(int argc, const char* const* argv);

}  // namespace toolwire::bridge
