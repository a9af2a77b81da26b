// Letters and names of ASCII, whatever the locale is.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace toolwire::text {

constexpr char ascii_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// With its letters of ASCII made small.
inline std::string ascii_lower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) { return ascii_lower(c); });
  return lower;
}

/// Whether it can be the name of a header field (RFC 9110 §5.6.2).
constexpr bool is_token(std::string_view text) {
  constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    const char small = ascii_lower(c);
    return (c >= '0' && c <= '9') || (small >= 'a' && small <= 'z') || marks.find(c) != std::string_view::npos;
  });
}

}  // namespace toolwire::text
