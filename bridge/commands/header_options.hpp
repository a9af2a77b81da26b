// Headers of remote servers as a command line has them.
#pragma once

#include <string>
#include <vector>

#include "activities/mcp/options.hpp"
#include "configuration/expansion.hpp"

namespace toolwire::bridge {

/// Gives the server these headers, "NAME: VALUE" each, with the places in the values filled in: so a command line,
/// which others can read, names a secret without showing it. Throws std::invalid_argument saying what was expected.
void give_headers(const std::vector<std::string>& headers, ExpansionSources sources, mcp::BackEndOptions& server);

}  // namespace toolwire::bridge
