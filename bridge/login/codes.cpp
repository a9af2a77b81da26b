#include "login/codes.hpp"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <optional>

namespace toolwire::bridge::login {
namespace {

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
         c == '_' || c == '~';
}

std::string encoded(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string made;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (is_plain(c)) {
      made.push_back(c);
    } else {
      made.append({'%', digits[byte >> 4U], digits[byte & 15U]});
    }
  }
  return made;
}

std::optional<unsigned> digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

std::string decoded(std::string_view text) {
  std::string made;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto high = text[at] == '%' && at + 2 < text.size() ? digit(text[at + 1]) : std::nullopt;
    const auto low = high ? digit(text[at + 2]) : std::nullopt;
    made.push_back(low ? static_cast<char>(*high * 16 + *low) : text[at] == '+' ? ' ' : text[at]);
    if (low) at += 2;
  }
  return made;
}

std::string base64(std::string_view bytes, int variant) {
  std::string text(sodium_base64_encoded_len(bytes.size(), variant), '\0');
  sodium_bin2base64(text.data(), text.size(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
                    variant);
  text.pop_back();
  return text;
}

}  // namespace

std::string form_text(const Form& form) {
  std::string text;
  for (const auto& [name, value] : form)
    text.append(text.empty() ? "" : "&").append(encoded(name)).append("=").append(encoded(value));
  return text;
}

Form form_in(std::string_view text) {
  Form form;
  while (!text.empty()) {
    const std::string_view pair = text.substr(0, text.find('&'));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    if (!pair.empty())
      form.emplace_back(decoded(pair.substr(0, equals)), decoded(pair.substr(std::min(equals + 1, pair.size()))));
    text.remove_prefix(std::min(pair.size() + 1, text.size()));
  }
  return form;
}

std::string only_value(const Form& form, std::string_view name) {
  const auto is_named = [&](const auto& pair) { return pair.first == name; };
  const auto found = std::ranges::find_if(form, is_named);
  return std::ranges::count_if(form, is_named) == 1 ? found->second : std::string();
}

std::string basic_credentials(std::string_view id, std::string_view secret) {
  return "Basic " + base64(encoded(id) + ":" + encoded(secret), sodium_base64_VARIANT_ORIGINAL);
}

std::string base64url(std::string_view bytes) { return base64(bytes, sodium_base64_VARIANT_URLSAFE_NO_PADDING); }

std::string random_code(std::size_t bytes) {
  std::string made(bytes, '\0');
  randombytes_buf(made.data(), made.size());
  return base64url(made);
}

std::string sha256_code(std::string_view text) {
  std::string hash(crypto_hash_sha256_BYTES, '\0');
  crypto_hash_sha256(reinterpret_cast<unsigned char*>(hash.data()), reinterpret_cast<const unsigned char*>(text.data()),
                     text.size());
  return base64url(hash);
}

bool is_same_secret(std::string_view one, std::string_view other) {
  return one.size() == other.size() && sodium_memcmp(one.data(), other.data(), one.size()) == 0;
}

}  // namespace toolwire::bridge::login
