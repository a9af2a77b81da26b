// The text of a host's file, whatever its format: servers are read, put in and taken out by their paths. Independent of
// files. All functions throw edit::Malformed for a text that is not what its format asks for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <toolwire/json.hpp>
#include <vector>

#include "host.hpp"

namespace toolwire::hosts {

/// The value at the path. Not for YAML.
std::optional<Json> member_of(Format format, std::string_view text, const std::vector<std::string>& path);
std::string with_member(Format format, std::string_view text, const std::vector<std::string>& path,
                        const JsonObject& entry);
std::string without_member(Format format, std::string_view text, const std::vector<std::string>& path);

}  // namespace toolwire::hosts
