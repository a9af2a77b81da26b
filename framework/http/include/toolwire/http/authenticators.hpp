// Who calls an HTTP server, by what it was told beforehand: tokens that it knows, or the word of a proxy in front of
// it. Each is an `Authenticate` for a Port (library toolwire::http_server); for tokens that an authorization server
// signs see jwt.hpp.
//
//     http::listen(server, {.authenticate = http::known_tokens({{.token = secret, .principal = "ann"}})});
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <toolwire/context.hpp>
#include <toolwire/http/listen.hpp>
#include <vector>

namespace toolwire::http {

inline constexpr std::size_t min_known_token = 32;  // characters of a token, and of the secret of a proxy

struct KnownToken {
  std::string token = {};
  Principal principal = {};
};

/// Lets in whoever sends `Authorization: Bearer TOKEN` with one of these (RFC 6750 §2.1); 401 for others. How long it
/// takes says nothing of how much of a token is right. Throws std::invalid_argument for none, for a token of less than
/// `min_known_token` characters or with others than visible ASCII, for one that occurs twice, and for a principal
/// without a usable id.
Authenticate known_tokens(std::vector<KnownToken> tokens);

/// Reads lines "NAME TOKEN", or "NAME TOKEN SCOPE…"; empty lines, and those that begin with "#", are passed over. A
/// name is one principal's: it occurs once. Throws std::invalid_argument with the number of a line that is none.
std::vector<KnownToken> known_tokens_in(std::string_view text);

/// A proxy that lets in whom it knows, and says in header fields who that is (which it has to take out of what clients
/// send). Believed is a request that shows the secret, or comes over a Unix socket from a process of one of `users`; at
/// least one of them has to be given, and where both are, both have to hold.
struct TrustedProxy {
  std::string principal_field = {};  // such as "X-Forwarded-User": the id
  std::string scopes_field = {};     // such as "X-Forwarded-Scopes": separated by spaces; empty: nobody has scopes
  std::string secret_field = {};     // such as "X-Proxy-Secret"; with it a `secret`
  std::string secret = {};           // of at least `min_known_token` visible ASCII characters
  std::vector<unsigned> users = {};  // user ids, as the kernel knows them (SO_PEERCRED)
};

/// Answers 401 where the proxy names nobody, and to whoever is not the proxy; a field that is there twice counts for
/// nothing. Throws std::invalid_argument for options that cannot be meant.
Authenticate trusted_proxy(TrustedProxy proxy);

}  // namespace toolwire::http
