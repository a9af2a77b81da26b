// Fetches the keys with which an authorization server signs: from where it is told, or from where the server's own
// metadata says (RFC 8414, OpenID Connect Discovery 1.0).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <toolwire/stores.hpp>

#include <toolwire/http/detail/http_client.hpp>
#include "authorization/settings.hpp"

namespace toolwire::bridge {

/// Where the metadata of an issuer may be, in the order in which they are asked for (2026-07-28
/// basic/authorization/authorization-server-discovery).
std::vector<std::string> metadata_addresses(const std::string& issuer);

/// For http::JwtOptions::fetch_keys. Answers within ten seconds, and with an error that names neither path nor query.
std::function<void(Done<std::string>)> issuer_keys(const AuthorizationSettings& settings,
                                                   std::shared_ptr<HttpClient> http);

}  // namespace toolwire::bridge
