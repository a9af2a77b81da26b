// Where the metadata of a protected resource is found (RFC 9728 §3), and how it is pointed to. Plain values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "toolwire/http/protected_resource.hpp"

namespace toolwire::http {

inline constexpr std::string_view well_known_path = "/.well-known/oauth-protected-resource";

/// For a resource at this path.
std::string metadata_path(std::string_view path);
std::string metadata_path_of(const ProtectedResource& resource);

/// As `challenge`, with these scopes instead of the resource's; without a URL of the resource nothing is said of its
/// metadata.
std::string challenge_for(const ProtectedResource& resource, const std::vector<std::string>& scopes,
                          std::string_view error, std::string_view description);

}  // namespace toolwire::http
