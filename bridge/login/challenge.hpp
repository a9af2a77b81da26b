// What a server that refuses a request says about how it would be let in (WWW-Authenticate, RFC 9110 §11.6.1). Decides
// only.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/http/detail/http_client.hpp>

namespace toolwire::bridge::login {

/// Of one challenge, and of all that a login is found to miss.
inline constexpr std::size_t max_scopes = 100;

/// The challenge with the scheme "Bearer" (RFC 6750 §3). A plain value; empty where nothing is said.
struct Challenge {
  std::string resource_metadata = {};  ///< A URL (RFC 9728 §5.1).
  std::string error = {};              ///< "invalid_token", "insufficient_scope" …
  std::vector<std::string> scopes = {};
};

/// The first challenge of this scheme among the headers; parameters of others do not count, and of one that stands
/// twice the first does. Scopes that can be none are left out, and beyond a bound all.
Challenge challenge_in(const HttpResponse& head);

/// The names in a text with spaces between them, each once; those that can be no scope are left out.
std::vector<std::string> scopes_in(std::string_view text);
/// All of both, each once.
std::vector<std::string> union_of(std::vector<std::string> scopes, const std::vector<std::string>& more);
/// With spaces between them.
std::string text_of(const std::vector<std::string>& scopes);

}  // namespace toolwire::bridge::login
