#include "attach/same_id.hpp"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>

namespace toolwire::attach {
namespace {

std::uint32_t hexadecimal(std::string_view digits) {
  std::uint32_t unit = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), unit, 16);
  return unit;
}

void add_utf8(std::string& text, std::uint32_t point) {
  const auto add = [&](std::uint32_t byte) { text.push_back(static_cast<char>(byte)); };
  if (point < 0x80) return add(point);
  if (point < 0x800) {
    add(0xc0 | point >> 6);
  } else if (point < 0x10000) {
    add(0xe0 | point >> 12);
    add(0x80 | (point >> 6 & 0x3f));
  } else {
    add(0xf0 | point >> 18);
    add(0x80 | (point >> 12 & 0x3f));
    add(0x80 | (point >> 6 & 0x3f));
  }
  add(0x80 | (point & 0x3f));
}

/// What "\uXXXX" at `at` stands for, with the second half of a pair; `at` is at its last digit then.
std::uint32_t code_point(std::string_view text, std::size_t& at) {
  const std::uint32_t unit = hexadecimal(text.substr(at + 1, 4));
  at += 4;
  const bool is_high = unit >= 0xd800 && unit < 0xdc00;
  if (!is_high || text.substr(at + 1, 2) != "\\u" || text.size() < at + 7) return unit;
  const std::uint32_t low = hexadecimal(text.substr(at + 3, 4));
  if (low < 0xdc00 || low > 0xdfff) return unit;
  at += 6;
  return 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
}

std::string plain(std::string_view text) {
  std::string made;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\\' || at + 1 == text.size()) {
      made.push_back(text[at]);
      continue;
    }
    const char c = text[++at];
    if (c == 'u' && at + 4 < text.size()) {
      add_utf8(made, code_point(text, at));
    } else {
      const std::size_t control = std::string_view("bfnrt").find(c);
      made.push_back(control == std::string_view::npos ? c : "\b\f\n\r\t"[control]);
    }
  }
  return made;
}

}  // namespace

bool same_id(std::string_view one, std::string_view other) {
  if (one == other) return true;
  const bool are_texts = one.starts_with('"') && other.starts_with('"');
  const bool has_escapes = one.find('\\') != std::string_view::npos || other.find('\\') != std::string_view::npos;
  return are_texts && has_escapes && plain(one) == plain(other);
}

}  // namespace toolwire::attach
