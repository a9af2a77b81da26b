#include "workspace/text/credentials.hpp"

#include <algorithm>
#include <array>

namespace workspace {
namespace {

constexpr std::array<std::string_view, 14> placeholders{"user",  "username", "password", "passwd", "pass",
                                                        "pw",    "pwd",      "secret",   "token",  "name",
                                                        "login", "xxx",      "xxxx",     "..."};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_letter_or_digit(char c) { return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z'); }

bool equals(std::string_view text, std::string_view known) {
  return std::ranges::equal(text, known, [](char a, char b) { return lower(a) == b; });
}

// What stands for a credential: a variable in any of the usual forms, or the name of what belongs there.
bool is_placeholder(std::string_view part) {
  if (part.empty() || std::ranges::all_of(part, [](char c) { return c == '*'; })) return true;
  const std::size_t name = part.find_first_not_of("${(<%");
  const bool is_variable =
      name != 0 && name != std::string_view::npos && std::ranges::all_of(part.substr(name), [](char c) {
        return is_letter_or_digit(c) || std::string_view("_-.{}()>% ").find(c) != std::string_view::npos;
      });
  return is_variable || std::ranges::any_of(placeholders, [part](auto known) { return equals(part, known); });
}

// Whether what stands before "@" gives access, or only says who asks ("ssh://git@host").
bool is_credential(std::string_view scheme, std::string_view user_info) {
  const std::size_t colon = user_info.find(':');
  const std::string_view user = user_info.substr(0, colon);
  if (colon == std::string_view::npos) return scheme.find("http") != std::string_view::npos && !is_placeholder(user);
  const std::string_view password = user_info.substr(colon + 1);
  return !is_placeholder(password) || !is_placeholder(user);
}

std::string_view scheme_before(std::string_view text) {
  std::size_t begin = text.size();
  while (begin > 0 && (is_letter_or_digit(text[begin - 1]) || text[begin - 1] == '+' || text[begin - 1] == '-'))
    --begin;
  return text.substr(begin);
}

void mask(std::string& text, std::size_t begin, std::size_t end) {
  std::fill(text.begin() + static_cast<std::ptrdiff_t>(begin), text.begin() + static_cast<std::ptrdiff_t>(end), '*');
}

// The end of "//" at `at`, also as JSON may write it ("\/\/"); npos if there is none.
std::size_t after_slashes(std::string_view text, std::size_t at) {
  for (int i = 0; i < 2; ++i) {
    if (at < text.size() && text[at] == '\\') ++at;
    if (at >= text.size() || text[at] != '/') return std::string_view::npos;
    ++at;
  }
  return at;
}

bool mask_urls(std::string& text) {
  bool found = false;
  for (std::size_t colon = text.find(':'); colon != std::string::npos; colon = text.find(':', colon + 1)) {
    const std::size_t begin = after_slashes(text, colon + 1);
    if (begin == std::string_view::npos) continue;
    const std::string_view rest = std::string_view(text).substr(begin, max_credential);
    const std::size_t last = rest.substr(0, rest.find_first_of(" \t\r\n\"'`/?#\\")).rfind('@');
    const std::string_view scheme = scheme_before(std::string_view(text).substr(0, colon));
    if (last == std::string_view::npos || scheme.empty() || !is_credential(scheme, rest.substr(0, last))) continue;
    mask(text, begin, begin + last);
    found = true;
  }
  return found;
}

bool is_at(std::string_view text, std::size_t at, std::string_view known) {
  return equals(text.substr(at, known.size()), known);
}

// After "Authorization": ": Basic TOKEN", '": "Bearer TOKEN"', "=token TOKEN" and the like.
bool mask_token_after(std::string& text, std::size_t at) {
  const std::size_t scheme = text.find_first_not_of(" \t:=\"'\\", at);
  if (scheme == std::string::npos || scheme == at) return false;
  for (const std::string_view known : {"basic ", "bearer ", "token "}) {
    if (!is_at(text, scheme, known)) continue;
    const std::size_t begin = scheme + known.size();
    const std::size_t end =
        std::min({text.find_first_of(" \t\r\n\"'`\\,;", begin), text.size(), begin + max_credential});
    if (is_placeholder(std::string_view(text).substr(begin, end - begin))) return false;
    mask(text, begin, end);
    return true;
  }
  return false;
}

bool mask_headers(std::string& text) {
  constexpr std::string_view header = "authorization";
  bool found = false;
  for (std::size_t at = text.find_first_of("aA"); at != std::string::npos; at = text.find_first_of("aA", at + 1)) {
    if (is_at(text, at, header)) found = mask_token_after(text, at + header.size()) || found;
  }
  return found;
}

}  // namespace

bool mask_credentials(std::string& text) {
  const bool in_urls = mask_urls(text);
  return mask_headers(text) || in_urls;
}

std::string with_masked_credentials(std::string_view text) {
  std::string masked(text);
  mask_credentials(masked);
  return masked;
}

}  // namespace workspace
