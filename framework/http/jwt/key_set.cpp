#include "jwt/key_set.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <toolwire/json_members.hpp>
#include <utility>

#include "jwt/base64url.hpp"
#include "toolwire/http/jwt.hpp"

namespace toolwire::http::jwt {
namespace {

constexpr std::size_t max_depth = 16;
constexpr std::size_t max_values = 20'000;

std::optional<std::string> bytes_in(const JsonObject& key, std::string_view name) {
  const std::string_view text = text_member(key, name);
  return text.empty() ? std::nullopt : from_base64url(text);
}

/// A member that is there and says something else is a reason not to use the key.
bool is_or_missing(const JsonObject& key, std::string_view name, std::string_view wanted) {
  return !key.contains(name) || text_member(key, name) == wanted;
}

bool may_verify(const JsonObject& key) {
  if (!is_or_missing(key, "use", "sig")) return false;
  if (!key.contains("key_ops")) return true;
  const JsonArray* const operations = array_member(key, "key_ops");
  return operations != nullptr && std::ranges::find(*operations, Json("verify")) != operations->end();
}

/// Whoever can read the set could sign with such a one.
bool is_public(const JsonObject& key) {
  constexpr std::array<std::string_view, 3> secret{"d", "p", "k"};
  return std::ranges::none_of(secret, [&](std::string_view name) { return key.contains(name); });
}

bool fits(const JsonObject& key, const Algorithm& algorithm) {
  return text_member(key, "kty") == algorithm.key_type && is_or_missing(key, "alg", algorithm.name) &&
         (algorithm.curve.empty() || text_member(key, "crv") == algorithm.curve);
}

std::optional<PublicKey> key_in(const JsonObject& key, const Algorithm& algorithm) {
  const bool is_rsa = algorithm.key_type == "RSA";
  const auto first = bytes_in(key, is_rsa ? "n" : "x");
  const auto second = bytes_in(key, is_rsa ? "e" : "y");
  if (algorithm.scheme == Scheme::ed25519) return first ? PublicKey::ed25519(*first) : std::nullopt;
  if (!first || !second) return std::nullopt;
  return is_rsa ? PublicKey::rsa(*first, *second) : PublicKey::elliptic(algorithm, *first, *second);
}

Json parsed(std::string_view text) try {
  if (text.size() > max_key_set)
    throw std::runtime_error("it is larger than " + std::to_string(max_key_set) + " bytes");
  return parse_json(text, {.max_depth = max_depth, .max_values = max_values, .duplicate_keys = DuplicateKeys::refuse});
} catch (const JsonError& error) {
  throw std::runtime_error("it is no JSON: " + std::string(error.what()));
}

}  // namespace

KeySet::KeySet(std::string_view text, const std::vector<const Algorithm*>& algorithms) {
  const Json document = parsed(text);
  const JsonArray* const keys = array_member(document, "keys");
  if (keys == nullptr) throw std::runtime_error("it has no array \"keys\"");
  if (keys->size() > max_keys) throw std::runtime_error("it has more than " + std::to_string(max_keys) + " keys");
  for (const Json& one : *keys) {
    if (const JsonObject* const key = one.if_object()) take(*key, algorithms);
  }
  if (keys_.empty()) throw std::runtime_error("none of its keys is one for the algorithms that are taken");
}

void KeySet::take(const JsonObject& json, const std::vector<const Algorithm*>& algorithms) {
  const Json* const id = json.if_contains("kid");
  if (!may_verify(json) || !is_public(json) || (id != nullptr && !id->is_string())) return;
  std::vector<const Algorithm*> fitting;
  std::ranges::copy_if(algorithms, std::back_inserter(fitting), [&](const auto* one) { return fits(json, *one); });
  if (fitting.empty()) return;
  auto key = key_in(json, *fitting.front());
  if (!key) return;
  keys_.push_back({.id = id == nullptr ? std::string() : std::string(id->get_string()),
                   .has_id = id != nullptr,
                   .algorithms = std::move(fitting),
                   .key = std::move(*key)});
}

KeySet::Found KeySet::find(const std::string* id, const Algorithm& algorithm) const {
  Found found;
  for (const Key& one : keys_) {
    const bool is_named = id == nullptr || (one.has_id && one.id == *id);
    if (!is_named || std::ranges::find(one.algorithms, &algorithm) == one.algorithms.end()) continue;
    found.key = ++found.candidates == 1 ? &one.key : nullptr;
  }
  return found;
}

}  // namespace toolwire::http::jwt
