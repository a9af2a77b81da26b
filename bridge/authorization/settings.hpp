// What a configuration says of whom a bridge lets in over HTTP: who has a token of an authorization server, or whom a
// proxy names. A plain value; asks nobody.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <toolwire/http/authenticators.hpp>
#include <toolwire/http/jwt.hpp>

#include "manifest/findings.hpp"

namespace toolwire::bridge {

struct ProxySettings {
  http::TrustedProxy fields = {};  // all but `secret`
  std::string secret_file = {};
};

struct AuthorizationSettings {
  std::optional<ProxySettings> proxy = {};  // if there is one, there is nothing else
  http::JwtOptions tokens = {};             // all but `fetch_keys`
  std::string keys = {};                    // the URL of the issuer's JWKS; empty: what its metadata says

  const std::string& issuer() const { return tokens.resource.authorization_servers.front(); }
};

/// Reads the member "authorization". `place_of`: where the file has what stands at a pointer, "/authorization/…".
/// Relative paths count from `directory`. Nothing if there are problems, which go to `findings`.
std::optional<AuthorizationSettings> read_authorization(const Json& json, const std::string& directory,
                                                        const std::function<std::string(const std::string&)>& place_of,
                                                        Findings& findings);

/// Why the keys of an issuer cannot be fetched from this URL, in words that follow "expected"; empty if they can.
std::string wrong_key_address(std::string_view url);

}  // namespace toolwire::bridge
