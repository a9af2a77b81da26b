// The file a finding is shown at, where a tool wants one: findings are about a server, not about a line.
#pragma once

#include <string>

#include "target/target.hpp"

namespace toolwire::conformance {

/// The last word of the server's command that is a file below the current folder, relative to it; else "package.json",
/// "pyproject.toml", "go.mod" or "Cargo.toml" if there is one; else ".".
std::string place_of(const Target& target);

}  // namespace toolwire::conformance
