// Where the files of a host are on this machine. Reads the environment and looks which files exist; reads none of them.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "host.hpp"

namespace toolwire::hosts {

enum class System { linux_, mac, windows };

/// What places depend on.
struct Surroundings {
  System system = System::linux_;
  std::function<std::string(const std::string& name)> variable;  ///< Empty if it is not set.
  std::string home;
  std::string folder;  ///< Of the project, absolute.
};

/// Those of this process. Throws std::runtime_error without a home directory.
Surroundings own_surroundings();

/// A file that a host reads its servers from.
struct HostFile {
  Scope scope = Scope::user;
  std::string path = {};                 ///< The one that is used.
  std::vector<std::string> places = {};  ///< All that are named.
  bool exists = false;                   ///< Or there is something that keeps it from being looked at.
  std::size_t existing = 0;              ///< How many of the places are such.
  bool may_be_written = true;
};

/// The file of a scope, or nothing if the host has none on this system.
std::optional<HostFile> host_file(const Host& host, Scope scope, const Surroundings& here);

/// The scopes a host has on this system; the first is the one meant when none is named.
std::vector<Scope> scopes_of(const Host& host, const Surroundings& here);

/// The names that lead to a server of this scope in the host's file.
std::vector<std::string> path_of_server(const Host& host, Scope scope, const Surroundings& here,
                                        const std::string& name);

}  // namespace toolwire::hosts
