#include "features/percent.hpp"

#include <algorithm>

#include "toolwire/text.hpp"

namespace toolwire::features {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

}  // namespace

std::optional<std::string> percent_decoded(std::string_view encoded) {
  std::string text;
  text.reserve(encoded.size());
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    if (encoded[i] != '%') {
      text.push_back(encoded[i]);
      continue;
    }
    if (i + 2 >= encoded.size()) return std::nullopt;
    const int high = hex_digit(encoded[i + 1]);
    const int low = hex_digit(encoded[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    text.push_back(static_cast<char>(high * 16 + low));
    i += 2;
  }
  if (!text::is_valid(text) || text.find('\0') != std::string::npos) return std::nullopt;
  return text;
}

bool is_usable_uri(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0 || !is_letter(text.front())) return false;
  const bool has_scheme = std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(colon), [](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
  });
  return has_scheme && std::all_of(text.begin(), text.end(),
                                   [](char c) { return static_cast<unsigned char>(c) > 0x20 && c != 0x7f; });
}

bool has_dot_segment(std::string_view path) {
  while (true) {
    const std::size_t end = path.find_first_of("/\\");
    if (path.substr(0, end) == "..") return true;
    if (end == std::string_view::npos) return false;
    path.remove_prefix(end + 1);
  }
}

}  // namespace toolwire::features
