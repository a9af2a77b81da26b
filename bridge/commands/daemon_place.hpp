// Which daemon serves a set of options for all who start it the same way, and where it listens. Starts nothing.
#pragma once

#include <string>

#include "commands/serve_options.hpp"

namespace toolwire::bridge {

/// A plain value; paths are absolute.
struct DaemonPlace {
  std::string socket = {};
  std::string log = {};
};

/// What differs for any two bridges that must not be one: a hash of this build, the sandbox, the working directory, the
/// options and what they say (interpreted), the text of the configuration, and the value of every variable that is read
/// or handed on. 32 hexadecimal digits.
std::string daemon_key(const ServeOptions& options);

/// Makes the folders, for this user alone: sockets in $XDG_RUNTIME_DIR/toolwire, or else, as logs, in the state folder.
/// Throws std::invalid_argument if there is no place for them, or it is not this user's alone.
DaemonPlace daemon_place(const std::string& key);

/// Throws std::invalid_argument if a socket in this folder would not be this user's alone.
void expect_own_folder(const std::string& folder);

/// What whoever connects to a socket in the folder has to say first. Throws std::runtime_error if it cannot be read.
std::string secret_of_folder(const std::string& folder);

}  // namespace toolwire::bridge
