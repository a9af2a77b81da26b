// What is wrong with the servers of one host. Prints nothing.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "hosts/host_entry.hpp"
#include "hosts/host_files.hpp"

namespace toolwire::install {

struct Findings {
  std::vector<std::string> lines = {};  ///< "problem: …", "note: …" and "good: …", fit for a terminal.
  std::size_t servers = 0;
  std::size_t problems = 0;
};

/// Which servers are started. Those of a project are chosen by whoever made its files.
enum class Starts { none, of_user, all };

/// How long the server of an entry is waited for: as long as its host waits, and no less than 30 s, to say how long it
/// takes.
std::chrono::milliseconds time_for(const hosts::Host& host, const Json& entry);

/// Reads the files of all scopes of the host.
Findings examine(const hosts::Host& host, const hosts::Surroundings& here, Starts starts);

}  // namespace toolwire::install
