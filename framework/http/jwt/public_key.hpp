// A key with which signatures are checked. Knows OpenSSL, and nothing of JSON or tokens.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "jwt/algorithm.hpp"
#include "jwt/crypto_library.hpp"

namespace toolwire::http::jwt {

/// May be used by several threads at once. All functions throw what `crypto()` throws, and std::bad_alloc.
class PublicKey {
 public:
  /// Numbers as bytes, the most significant one first. Nothing for a modulus of less than 2048 or more than 8192 bits,
  /// or an exponent that is even, 1, or longer than 4 bytes.
  static std::optional<PublicKey> rsa(std::string_view modulus, std::string_view exponent);
  /// Coordinates in the full length of the algorithm's curve. Nothing for a point that is not on it.
  static std::optional<PublicKey> elliptic(const Algorithm& algorithm, std::string_view x, std::string_view y);
  static std::optional<PublicKey> ed25519(std::string_view bytes);

  /// Whether this key's owner has signed `text`. The key has to be one for the algorithm.
  bool verifies(const Algorithm& algorithm, std::string_view text, std::string_view signature) const;

 private:
  struct Free {
    void operator()(EVP_PKEY* key) const { crypto().EVP_PKEY_free(key); }
  };
  explicit PublicKey(EVP_PKEY* key) : key_(key, Free()) {}
  static std::optional<PublicKey> made(const char* type, OSSL_PARAM_BLD* parts);

  std::shared_ptr<EVP_PKEY> key_;
};

}  // namespace toolwire::http::jwt
