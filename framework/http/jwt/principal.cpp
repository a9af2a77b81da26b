#include "jwt/principal.hpp"

#include <sodium.h>

#include <array>

#include "toolwire/context.hpp"

namespace toolwire::http::jwt {
namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd";  // which a lone surrogate has become

std::string sha256_of(std::string_view text) {
  std::array<unsigned char, crypto_hash_sha256_BYTES> digest{};
  crypto_hash_sha256(digest.data(), reinterpret_cast<const unsigned char*>(text.data()), text.size());
  std::string hex(digest.size() * 2 + 1, '\0');
  sodium_bin2hex(hex.data(), hex.size(), digest.data(), digest.size());
  hex.pop_back();
  return hex;
}

}  // namespace

bool is_subject(std::string_view subject) {
  return !subject.empty() && subject.find(replacement) == std::string_view::npos;
}

std::string principal_of(std::string_view issuer, std::string_view subject) {
  std::string whole = std::string(issuer).append(" ").append(subject);
  return is_principal_id(whole) ? whole : std::string(issuer).append("#") + sha256_of(subject);
}

}  // namespace toolwire::http::jwt
