// A server as a host writes it down: its entry, the host's own command, what a person can copy or click. Independent of
// files.
#pragma once

#include <chrono>
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

/// The "type" of an entry that is for a server which is reached by a URL, so that no program of it is started; empty
/// if it has no such type.
std::string remote_type_of(const Json& entry);

/// Whether it has all without which the host takes no entry.
bool has_needed(const Host& host, const Json& entry);

/// Whether the host leaves it out: "disabled" is true, or "enabled" is false.
bool is_off(const Json& entry);

/// The folder that the entry has its server started in ("cwd"); empty if it names none.
std::string folder_of(const Json& entry);

/// How long the host waits for the server of the entry, which may say that itself.
std::chrono::milliseconds start_limit_of(const Host& host, const Json& entry);

/// The program, from the folder that the entry names if it is a path from there; a name alone is left as it is.
std::string program_path(const Server& server, const Json& entry);

/// How the first variable in the text looks that the host puts something in the place of: "${…}", "$…", "{env:…}".
/// Empty if there is none.
std::string variable_in(const Host& host, std::string_view text);

/// The program and its arguments.
std::vector<std::string> line_of(const Server& server);

/// The words of the host's own command, its program first; nothing if it has none for this scope and server.
std::optional<std::vector<std::string>> own_add_command(const Host& host, Scope scope, const std::string& name,
                                                        const Server& server);
std::optional<std::vector<std::string>> own_remove_command(const Host& host, Scope scope, const std::string& name);

/// The text for the host's file, with all that leads to the entry.
std::string snippet(const Host& host, const std::string& name, const Server& server);

/// Addresses that install the server when they are opened, the one that works in web pages last. None that would leave
/// out its variables.
std::vector<std::string> links(const Host& host, const std::string& name, const Server& server);

}  // namespace toolwire::hosts
