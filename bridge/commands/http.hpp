// `toolwire-bridge http MANIFEST`: serves a manifest and runs its tools over HTTP, for consumers that speak no MCP.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace toolwire::bridge {

/// "127.0.0.1:15000", "[::1]:0", "localhost:80", ":15000" (loopback) → host and port. Throws std::invalid_argument
/// saying what was expected.
std::pair<std::string, int> listen_address(const std::string& text);

/// Why no browser could name a page by it, or nothing: SCHEME://HOST, and a port if it has one.
std::optional<std::string> wrong_origin(std::string_view text);
/// Why no client could call a port by it, or nothing: NAME or NAME:PORT.
std::optional<std::string> wrong_host_name(std::string_view text);

/// The command with its arguments; `argv[0]` is its own name. Serves until SIGTERM or SIGINT. Returns the exit status:
/// 1 for a manifest with problems and an address that cannot be listened on, 2 for wrong arguments, bindings and
/// configurations.
int http_command(int argc, const char* const* argv);

}  // namespace toolwire::bridge
