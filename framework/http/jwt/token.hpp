// One token, from its text to who has sent it. Decides by values alone: keys, rules and the time are given.
#pragma once

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <toolwire/json.hpp>
#include <vector>

#include "jwt/algorithm.hpp"
#include "jwt/key_set.hpp"
#include "toolwire/http/jwt.hpp"

namespace toolwire::http::jwt {

/// Why a token counts for nothing, without anything of the token itself.
struct InvalidToken : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What is asked of tokens: JwtOptions that have been checked.
struct Rules {
  /// Throws std::invalid_argument for options that cannot be meant.
  explicit Rules(const JwtOptions& options);

  std::string issuer;
  std::vector<std::string> audiences;
  std::vector<const Algorithm*> algorithms;
  std::vector<std::string> types;  // in lower case, without "application/"
  std::vector<std::string> scopes;
  std::chrono::seconds leeway;
};

/// A token whose signature is still to be looked at: only what says with which key.
struct UnverifiedToken {
  std::string text;  // header and claims, as they were signed
  std::string signature;
  const Algorithm* algorithm = nullptr;
  std::optional<std::string> key_id;
};

/// Throws InvalidToken for one that could not be valid, whatever its signature.
UnverifiedToken take_apart(std::string_view token, const Rules& rules);

/// Its claims, if one of the keys has signed it. Throws InvalidToken.
JsonObject verified_claims(const UnverifiedToken& token, const KeySet& keys);

/// Whose token it is, by claims that are verified; see jwt_authenticator. Throws InvalidToken for a token that is not
/// for this server, or not for now.
Principal judged(JsonObject&& claims, const Rules& rules, std::chrono::system_clock::time_point now);

/// All that the rules ask for were granted.
bool has_scopes(const Principal& principal, const Rules& rules);

}  // namespace toolwire::http::jwt
