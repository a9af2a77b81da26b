// server.json: what the registry of MCP servers is told (schema of 2025-12-11).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "package.hpp"

namespace toolwire::pack {

/// Where the registry has the repository: "github" or "gitlab"; no value for any other, which it does not take.
std::optional<std::string_view> repository_source(const std::string& url);

/// The file. `bundle`: its bytes, if its address is known and it belongs into the file. `with_npm`: the package of npm
/// does.
std::string registry_entry(const Package& package, std::optional<std::string_view> bundle, bool with_npm);

}  // namespace toolwire::pack
