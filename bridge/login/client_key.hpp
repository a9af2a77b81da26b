// The key with which a client signs who it is at a token endpoint (private_key_jwt, RFC 7523 §2.2). Reads its file and
// asks nobody.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace toolwire::bridge::login {

/// As a configuration says it. A plain value.
struct ClientKey {
  std::string file = {};       ///< In PEM, of its user alone; empty: there is none.
  std::string algorithm = {};  ///< Of RFC 7518 §3.1, the only one that is signed with.
  std::string id = {};         ///< Under which the authorization server knows it (`kid`); empty: it is not said.
};

/// What may be signed with: nothing that is a secret on both sides.
std::span<const std::string_view> signing_algorithms();

/// Why a key cannot be signed with, in words that follow "expected"; empty if it can. Another kind of key than that of
/// its algorithm cannot.
std::string wrong_key(const ClientKey& key);

/// What a client says of itself to one authorization server: a signed token that is good for a minute and no other one.
/// The key is read anew each time. Throws LoginError.
std::string client_assertion(const ClientKey& key, const std::string& client_id, const std::string& issuer);

}  // namespace toolwire::bridge::login
