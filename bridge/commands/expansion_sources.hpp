// Where the places in values of a configuration come from: ${NAME}, ${file:PATH}, ${cmd:PROGRAM}.
#pragma once

#include <string>

#include "configuration/configuration.hpp"

namespace toolwire::bridge {

/// The environment, files and, if `allow_commands`, programs; relative paths count from `directory`.
ExpansionSources expansion_sources(const std::string& directory, bool allow_commands);

}  // namespace toolwire::bridge
