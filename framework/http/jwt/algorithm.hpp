// The signatures that a token may have (RFC 7518 §3, RFC 8037): none that is no signature, and none whose key could be
// taken for another's. Plain values.
#pragma once

#include <cstddef>
#include <string_view>

namespace toolwire::http::jwt {

enum class Scheme { rsa_pkcs1, rsa_pss, ecdsa, ed25519 };

struct Algorithm {
  std::string_view name;
  Scheme scheme;
  std::string_view key_type;  // `kty`
  std::string_view curve;     // `crv`; empty: none
  const char* digest;         // in OpenSSL's words; null: it has its own
  const char* group;          // the same of a curve; null: none
  std::size_t coordinate;     // bytes of a coordinate of the curve; 0: none
};

/// Null for what is not taken: "none", HMAC, and what is unknown.
const Algorithm* find_algorithm(std::string_view name);

}  // namespace toolwire::http::jwt
