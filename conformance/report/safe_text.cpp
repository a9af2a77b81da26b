#include "report/safe_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace toolwire::conformance {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";
constexpr std::string_view plain_in_a_shell =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@+%";

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 1;
  bool valid = false;
};

std::size_t length_by(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  return first >= 0xF0 && first < 0xF5 ? 4 : 0;
}

/// The character `text` begins with; one byte where it begins with none.
Character first_character(std::string_view text) {
  static constexpr std::uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t bytes = length_by(first);
  if (bytes == 1) return {first, 1, true};
  if (bytes == 0 || bytes > text.size()) return {};
  std::uint32_t code = first & (0x7FU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0U) != 0x80) return {};
    code = code << 6 | (next & 0x3FU);
  }
  if (code < smallest[bytes] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return {};
  return {code, bytes, true};
}

bool is_invisible(std::uint32_t code) {
  return (code >= 0x80 && code < 0xA0) || (code >= 0x200B && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF || code == 0xFFFE || code == 0xFFFF ||
         (code >= 0xE0000 && code < 0xE0080);
}

}  // namespace

std::string valid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character next = first_character(text);
    out.append(next.valid ? text.substr(0, next.bytes) : replacement);
    text.remove_prefix(next.bytes);
  }
  return out;
}

std::string visible(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character next = first_character(text);
    const bool control = next.code != '\n' && next.code != '\t' && (next.code < 0x20 || next.code == 0x7F);
    if (!next.valid || control) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    } else if (is_invisible(next.code)) {
      out += fmt::format("\\u{{{:x}}}", next.code);
    } else {
      out.append(text.substr(0, next.bytes));
    }
    text.remove_prefix(next.bytes);
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return std::string(text);
  std::size_t end = max_bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80) --end;
  return fmt::format("{}… ({} bytes more)", text.substr(0, end), text.size() - end);
}

std::string excerpt(std::string_view text, std::size_t max_lines, std::size_t max_width) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  std::string out;
  const std::size_t first = max_lines / 2;
  const std::size_t last = lines.size() > max_lines ? lines.size() - (max_lines - first) : first;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i == first && last > first) {
      out += fmt::format("… {} lines left out …\n", last - first);
      i = last;
    }
    out += visible(shortened(lines[i], max_width)) + "\n";
  }
  return out;
}

std::string escaped_markup(std::string_view text) {
  std::string out;
  for (const char c : visible(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string shell_word(std::string_view text) {
  if (!text.empty() && text.find_first_not_of(plain_in_a_shell) == std::string_view::npos) return std::string(text);
  std::string out = "'";
  for (const char c : text) c == '\'' ? out += "'\\''" : out += c;
  return out + "'";
}

}  // namespace toolwire::conformance
