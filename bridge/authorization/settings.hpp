// What a configuration says of the authorization server whose tokens a bridge takes. A plain value; asks nobody.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <toolwire/http/jwt.hpp>

#include "manifest/findings.hpp"

namespace toolwire::bridge {

struct AuthorizationSettings {
  http::JwtOptions tokens = {};  // all but `fetch_keys`
  std::string keys = {};         // the URL of the issuer's JWKS; empty: what its metadata says

  const std::string& issuer() const { return tokens.resource.authorization_servers.front(); }
};

/// Reads the member "authorization". `place_of`: where the file has what stands at a pointer, "/authorization/…".
/// Nothing if there are problems, which go to `findings`.
std::optional<AuthorizationSettings> read_authorization(const Json& json,
                                                        const std::function<std::string(const std::string&)>& place_of,
                                                        Findings& findings);

/// Why the keys of an issuer cannot be fetched from this URL, in words that follow "expected"; empty if they can.
std::string wrong_key_address(std::string_view url);

}  // namespace toolwire::bridge
