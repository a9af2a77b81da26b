// What is asked of a token endpoint, and its answers (RFC 6749, 7636, 8707). Waits for the answers.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "login/codes.hpp"
#include "login/discovery.hpp"

namespace toolwire::bridge::login {

/// Who asks, as the authorization server knows it. A plain value.
struct OAuthClient {
  std::string id = {};
  std::string secret = {};
  std::string auth_method = std::string(auth_none);
  ClientKey key = {};  ///< Of who signs; for `issuer` alone.
  std::string issuer = {};
  std::uint16_t port = 0;      ///< Of the redirect URI that it was registered with. 0: the next login registers anew.
  bool is_registered = false;  ///< By itself: it can do that again.
  /// What its registration names, and what was asked for there: it gets no others. Empty: the registration names none.
  std::vector<std::string> scopes = {};
};

/// A plain value.
struct Tokens {
  std::string access = {};
  std::string refresh = {};              ///< Empty: there is none.
  std::int64_t expires = 0;              ///< In seconds since 1970; 0: nobody said.
  std::int64_t given = 0;                ///< When, in seconds since 1970; 0: not known.
  std::vector<std::string> scopes = {};  ///< That were granted, or else asked for.
};

/// The endpoint says that what it was given is not good (any more): a person has to log in anew.
struct RefusedGrant : LoginError {
  using LoginError::LoginError;
};

/// The same of the client: one that registered itself has to do so again.
struct RefusedClient : RefusedGrant {
  using RefusedGrant::RefusedGrant;
};

/// The endpoint gives nothing for the scopes that were asked for; for fewer it may.
struct RefusedScopes : LoginError {
  using LoginError::LoginError;
};

/// Asks `endpoint` for tokens with a form, to which it adds who the client is. `asked`: the scopes that it asks for.
/// Throws LoginError, RefusedGrant for "invalid_grant", RefusedClient for "invalid_client", or RefusedScopes for
/// "invalid_scope".
Tokens request_tokens(const Asking& asking, const std::string& endpoint, Form form, const OAuthClient& client,
                      const std::vector<std::string>& asked);

/// The same with a refresh token. What the answer does not say stays as it was.
Tokens refreshed(const Asking& asking, const std::string& endpoint, const std::string& resource,
                 const OAuthClient& client, const Tokens& before);

/// Has the authorization server take them back (RFC 7009), first the refresh token. Throws LoginError if it does not.
void revoke(const Asking& asking, const std::string& endpoint, const OAuthClient& client, const Tokens& tokens);

/// Now, as Tokens::expires counts.
std::int64_t seconds_now();

}  // namespace toolwire::bridge::login
