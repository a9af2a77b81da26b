// What is wrong with the servers of one host. Prints nothing.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "hosts/host_files.hpp"

namespace toolwire::install {

struct Findings {
  std::vector<std::string> lines = {};  ///< "problem: …", "note: …" and "good: …", fit for a terminal.
  std::size_t servers = 0;
  std::size_t problems = 0;
};

/// Reads the files of all scopes of the host; `starts`: starts each server that can be started.
Findings examine(const hosts::Host& host, const hosts::Surroundings& here, bool starts);

}  // namespace toolwire::install
