// A server as a host writes it down: its entry, the host's own command, what a person can copy or click. Independent of
// files.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <toolwire/json.hpp>
#include <vector>

#include "host.hpp"

namespace toolwire::hosts {

/// How a server is started. A plain value.
struct Server {
  std::string program = {};
  std::vector<std::string> arguments = {};
  std::map<std::string, std::string> environment = {};

  bool operator==(const Server&) const = default;
};

/// What stands under `name` in the file of the host.
JsonObject entry_of(const Host& host, const std::string& name, const Server& server);

/// The server of an entry; nothing if it is none that is started (one that is reached by a URL, or of another shape).
std::optional<Server> server_of(const Host& host, const Json& entry);

/// The program and its arguments.
std::vector<std::string> line_of(const Server& server);

/// The words of the host's own command, its program first; nothing if it has none for this scope and server.
std::optional<std::vector<std::string>> own_add_command(const Host& host, Scope scope, const std::string& name,
                                                        const Server& server);
std::optional<std::vector<std::string>> own_remove_command(const Host& host, Scope scope, const std::string& name);

/// The text for the host's file, with all that leads to the entry.
std::string snippet(const Host& host, const std::string& name, const Server& server);

/// Addresses that install the server when they are opened, the one that works in web pages last.
std::vector<std::string> links(const Host& host, const std::string& name, const Server& server);

}  // namespace toolwire::hosts
