#include "jwt/token.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <toolwire/json_members.hpp>
#include <utility>

#include "header_fields.hpp"
#include "jwt/base64url.hpp"
#include "jwt/principal.hpp"
#include "jwt/type_name.hpp"

namespace toolwire::http::jwt {
namespace {

constexpr std::size_t max_depth = 16;
constexpr std::size_t max_values = 2'000;
constexpr std::size_t max_audiences = 100;
constexpr double max_time = 1e12;  // seconds: the year 33658

using Clock = std::chrono::system_clock;

JsonObject object_of(std::string_view encoded, const char* what) {
  const auto text = from_base64url(encoded);
  if (!text) throw InvalidToken(std::string("the ") + what + " of the token is no base64url");
  try {
    Json json =
        parse_json(*text, {.max_depth = max_depth, .max_values = max_values, .duplicate_keys = DuplicateKeys::refuse});
    if (JsonObject* const object = json.if_object()) return std::move(*object);
  } catch (const JsonError&) {  // whose words would be of the token
  }
  throw InvalidToken(std::string("the ") + what + " of the token is no JSON object that can be read in one way only");
}

/// The three parts of a signed token; anything else has another number of them.
std::array<std::string_view, 3> parts_of(std::string_view token) {
  const std::size_t first = token.find('.');
  const std::size_t second = first == std::string_view::npos ? first : token.find('.', first + 1);
  if (second == std::string_view::npos || token.find('.', second + 1) != std::string_view::npos)
    throw InvalidToken("the token is no signed token of three parts");
  return {token.substr(0, first), token.substr(first + 1, second - first - 1), token.substr(second + 1)};
}

const Algorithm* algorithm_in(const JsonObject& header, const Rules& rules) {
  const auto* const algorithm = find_algorithm(text_member(header, "alg"));
  if (algorithm == nullptr || std::ranges::find(rules.algorithms, algorithm) == rules.algorithms.end())
    throw InvalidToken("the token is not signed with an algorithm that is taken here");
  return algorithm;
}

void check_type(const JsonObject& header, const Rules& rules) {
  const Json* const type = header.if_contains("typ");
  if (type != nullptr && !type->is_string()) throw InvalidToken("the type of the token is no text");
  const std::string name = type == nullptr ? "jwt" : type_name(std::string_view(type->get_string()));
  if (std::ranges::find(rules.types, name) == rules.types.end())
    throw InvalidToken("the token is no access token by its type (typ)");
}

/// Seconds since 1970, if it is there.
std::optional<double> time_in(const JsonObject& claims, std::string_view name) {
  const Json* const value = claims.if_contains(name);
  if (value == nullptr) return std::nullopt;
  const double seconds = value->is_number() ? value->to_number<double>() : -1;
  if (!(seconds >= 0 && seconds <= max_time)) throw InvalidToken("a time in the token is none");
  return seconds;
}

void check_times(const JsonObject& claims, const Rules& rules, Clock::time_point now) {
  const double at = std::chrono::duration<double>(now.time_since_epoch()).count();
  const auto leeway = static_cast<double>(rules.leeway.count());
  const auto expires = time_in(claims, "exp");
  if (!expires) throw InvalidToken("the token has no end (exp)");
  if (at >= *expires + leeway) throw InvalidToken("the token has expired");
  const auto begins = time_in(claims, "nbf");
  if (begins && at < *begins - leeway) throw InvalidToken("the token is not valid yet (nbf)");
  time_in(claims, "iat");
}

/// One text, or an array of nothing else.
std::vector<std::string_view> audiences_in(const JsonObject& claims) {
  std::vector<std::string_view> audiences;
  const Json* const value = claims.if_contains("aud");
  if (value != nullptr && value->is_string()) audiences.emplace_back(value->get_string());
  const JsonArray* const list = value == nullptr ? nullptr : value->if_array();
  if (list == nullptr) return audiences;
  if (list->size() > max_audiences) throw InvalidToken("the token is for too many servers");
  for (const Json& one : *list) {
    if (!one.is_string()) throw InvalidToken("an audience of the token is no text");
    audiences.emplace_back(one.get_string());
  }
  return audiences;
}

void check_audience(const JsonObject& claims, const Rules& rules) {
  const auto said = audiences_in(claims);
  const bool is_meant = std::ranges::any_of(
      said, [&](std::string_view one) { return std::ranges::find(rules.audiences, one) != rules.audiences.end(); });
  if (!is_meant) throw InvalidToken("the token is not for this server (aud)");
}

/// `scope` is a text (RFC 8693 §4.2); `scp`, which other servers have, is one or an array.
std::vector<std::string> scopes_in(const JsonObject& claims) {
  std::vector<std::string> scopes = words_in(text_member(claims, "scope"));
  for (std::string& one : words_in(text_member(claims, "scp"))) scopes.push_back(std::move(one));
  if (const JsonArray* const list = array_member(claims, "scp")) {
    for (const Json& one : *list) {
      if (one.is_string()) scopes.emplace_back(one.get_string());
    }
  }
  return scopes;
}

}  // namespace

UnverifiedToken take_apart(std::string_view token, const Rules& rules) {
  if (token.size() > max_token) throw InvalidToken("the token is too long");
  const auto [header_part, claims_part, signature_part] = parts_of(token);
  const JsonObject header = object_of(header_part, "header");
  if (header.contains("crit")) throw InvalidToken("the token needs something that is not known here (crit)");
  UnverifiedToken made;
  made.algorithm = algorithm_in(header, rules);
  check_type(header, rules);
  if (const Json* const id = header.if_contains("kid")) {
    if (!id->is_string()) throw InvalidToken("the name of the token's key is no text (kid)");
    made.key_id = std::string(id->get_string());
  }
  auto signature = from_base64url(signature_part);
  if (!signature || signature->empty()) throw InvalidToken("the token has no signature that can be read");
  made.signature = std::move(*signature);
  made.text = token.substr(0, header_part.size() + 1 + claims_part.size());
  return made;
}

JsonObject verified_claims(const UnverifiedToken& token, const KeySet& keys) {
  const auto found = keys.find(token.key_id ? &*token.key_id : nullptr, *token.algorithm);
  if (found.candidates > 1) throw InvalidToken("the token does not say which of several keys has signed it (kid)");
  if (found.key == nullptr) throw InvalidToken("the issuer has no such key");
  if (!found.key->verifies(*token.algorithm, token.text, token.signature))
    throw InvalidToken("the signature of the token is wrong");
  return object_of(std::string_view(token.text).substr(token.text.find('.') + 1), "content");
}

Principal judged(JsonObject&& claims, const Rules& rules, Clock::time_point now) {
  if (text_member(claims, "iss") != rules.issuer) throw InvalidToken("the token is of another issuer (iss)");
  check_audience(claims, rules);
  check_times(claims, rules, now);
  const std::string_view subject = text_member(claims, "sub");
  if (!is_subject(subject)) throw InvalidToken("the token does not say whose it is (sub)");
  std::string id = principal_of(rules.issuer, subject);
  std::vector<std::string> scopes = scopes_in(claims);
  return {std::move(id), std::move(scopes), std::move(claims)};
}

bool has_scopes(const Principal& principal, const Rules& rules) {
  return std::ranges::all_of(rules.scopes, [&](const std::string& one) { return principal.has_scope(one); });
}

}  // namespace toolwire::http::jwt
