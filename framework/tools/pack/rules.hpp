// The rules of the files in packages, as patterns and as schemas (2020-12) of what is written here: narrower than what
// the formats allow.
#pragma once

#include <string_view>
#include <toolwire/json.hpp>

namespace toolwire::pack {

/// semver.org, no build metadata left out.
inline constexpr std::string_view version_pattern =
    R"(^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*))"
    R"((-(0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*))*)?)"
    R"((\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?$)";
/// Of a server in the registry (server.json, schema of 2025-12-11).
inline constexpr std::string_view name_pattern = R"(^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$)";
/// Of a new package of npm.
inline constexpr std::string_view npm_name_pattern = R"(^(@[a-z0-9-][a-z0-9._-]*/)?[a-z0-9-][a-z0-9._-]*$)";
inline constexpr std::string_view url_pattern = R"(^https://[A-Za-z0-9.-]+(:[0-9]+)?(/[!-~]*)?$)";
/// Of files that the registry lets a bundle be.
inline constexpr std::string_view bundle_url_pattern =
    R"(^https://(github\.com/[^/\s]+/[^/\s]+/releases/download/[^/\s]+/[^/\s]+)"
    R"(|gitlab\.com/[^\s]+/-/(releases/[^/\s]+/downloads/[^\s]+|package_files/[0-9]+/download))$)";
/// Of repositories that the registry takes, by their place.
inline constexpr std::string_view github_pattern = R"(^https://github\.com/[\w.-]+/[\w.-]+/?$)";
inline constexpr std::string_view gitlab_pattern = R"(^https://gitlab\.com/[\w.-]+(/[\w.-]+)+/?$)";

/// Of manifest.json of a bundle, version 0.3.
Json bundle_rules();
/// Of server.json.
Json registry_rules();

/// Throws std::logic_error with the first violation: a file made here does not follow its rules. `what` names it.
void require_rules(const Json& file, const Json& rules, std::string_view what);

}  // namespace toolwire::pack
