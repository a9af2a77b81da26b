// Access tokens that an authorization server has signed (RFC 7519, RFC 9068), as those who call an HTTP server send
// them: who calls is what the token says (library toolwire::http_jwt).
//
//     http::JwtOptions options{.resource = {.resource = "https://mcp.example.com/mcp",
//                                           .authorization_servers = {"https://login.example.com"}}};
//     options.fetch_keys = …;                                     // the issuer's JWKS (RFC 7517), by an HTTP client
//     http::listen(server, {.authenticate = http::jwt_authenticator(options), .resource = options.resource});
//
// Signatures are checked by OpenSSL 3, which the first `jwt_authenticator` loads.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <toolwire/http/listen.hpp>
#include <toolwire/http/protected_resource.hpp>
#include <toolwire/stores.hpp>
#include <vector>

namespace toolwire::http {

/// Whose tokens are taken, and which. What a token says of itself decides none of this.
struct JwtOptions {
  /// With exactly one authorization server: its issuer is the `iss` of every token, letter by letter. A token without
  /// one of the resource's scopes is answered with 403.
  ProtectedResource resource = {};
  /// One of them has to be in `aud` (RFC 8707); without any: the URL of the resource.
  std::vector<std::string> audiences = {};
  /// Some of `jwt_algorithms`.
  std::vector<std::string> algorithms = {"RS256", "ES256"};
  /// What `typ` may be, without regard to case and to "application/". A token without `typ` is of the type "JWT", as
  /// those of many servers that do not know RFC 9068.
  std::vector<std::string> types = {"at+jwt"};
  std::chrono::seconds leeway{30};  // by which clocks may differ: of `exp` and `nbf`
  /// Fetches the issuer's set of keys, as JSON, at once or later and from any thread; it has to answer sometime. Asked
  /// with the first token, then once an hour, and for a key that is not in the set, but at most once a minute (every
  /// five seconds while there was none yet). While it fails, the keys from before count, and the log says so.
  std::function<void(Done<std::string>)> fetch_keys = {};
};

/// RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA (which is Ed25519 here): all that may be asked
/// for. Unsigned tokens and those with a shared secret (HMAC) are never taken.
std::vector<std::string_view> jwt_algorithms();

/// Bounds; beyond, a token is refused, and a set of keys is not used.
inline constexpr std::size_t max_token = std::size_t{16} << 10;     // bytes
inline constexpr std::size_t max_key_set = std::size_t{256} << 10;  // bytes
inline constexpr std::size_t max_keys = 100;

/// Looks at `Authorization: Bearer TOKEN` of each request. The id of its principal is the issuer, a space and the `sub`
/// of the token; where that is too long or not usable as an id, the issuer, "#" and the SHA-256 of `sub`. Its scopes
/// are those in `scope` and `scp` (RFC 8693 §4.2), its claims all of the token's. Answers 401 and 403 as 2026-07-28
/// basic/authorization has them, and 503 while there are no keys. Throws std::invalid_argument for options that cannot
/// be meant, std::runtime_error where there is no OpenSSL.
Authenticate jwt_authenticator(JwtOptions options);

}  // namespace toolwire::http
