// The keys of an issuer (RFC 7517), as far as they can check signatures of tokens. Plain values; fetches nothing.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <toolwire/json.hpp>
#include <vector>

#include "jwt/public_key.hpp"

namespace toolwire::http::jwt {

class KeySet {
 public:
  /// Keys of other kinds, for other uses, that are too weak, that cannot be used or are not public are passed over.
  /// Throws std::runtime_error that says why the text is no set with a key for one of `algorithms`.
  KeySet(std::string_view text, const std::vector<const Algorithm*>& algorithms);

  struct Found {
    const PublicKey* key = nullptr;  // belongs to the set; null where none, or more than one, could be meant
    std::size_t candidates = 0;
  };
  /// The key that a token names with its `kid` (null: it does not say) and its `alg`.
  Found find(const std::string* id, const Algorithm& algorithm) const;

 private:
  struct Key {
    std::string id;
    bool has_id;
    std::vector<const Algorithm*> algorithms;  // that it may be used with
    PublicKey key;
  };
  void take(const JsonObject& json, const std::vector<const Algorithm*>& algorithms);

  std::vector<Key> keys_;
};

}  // namespace toolwire::http::jwt
