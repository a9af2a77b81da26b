// Where the metadata of a protected resource is found (RFC 9728 §3). Plain values.
#pragma once

#include <string>
#include <string_view>

#include "toolwire/http/protected_resource.hpp"

namespace toolwire::http {

inline constexpr std::string_view well_known_path = "/.well-known/oauth-protected-resource";

/// For a resource at this path.
std::string metadata_path(std::string_view path);
std::string metadata_path_of(const ProtectedResource& resource);

}  // namespace toolwire::http
