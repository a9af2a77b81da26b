#include "types/echo.hpp"

#include "json/utf8.hpp"

namespace toolwire::types {
namespace {

// The value of one valid sequence of UTF-8 bytes.
char32_t value_of(std::string_view sequence) {
  const auto lead = static_cast<unsigned char>(sequence[0]);
  if (sequence.size() == 1) return lead;
  char32_t value = lead & (0xFFU >> (sequence.size() + 1));
  for (const char c : sequence.substr(1)) value = (value << 6) | (static_cast<unsigned char>(c) & 0x3FU);
  return value;
}

bool is_hidden(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0xAD || (c >= 0x200B && c <= 0x200F) ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || (c >= 0xE0000 && c <= 0xE007F);
}

void append_escape(std::string& out, char32_t c) {
  constexpr std::string_view digits = "0123456789abcdef";
  if (c == U'\n') {
    out += "\\n";
  } else if (c == U'\t') {
    out += "\\t";
  } else {
    out += c > 0xFFFF ? "\\u{" : "\\u";
    for (int shift = c > 0xFFFF ? 20 : 12; shift >= 0; shift -= 4) out += digits[(c >> shift) & 0xF];
    if (c > 0xFFFF) out += '}';
  }
}

void append_visible(std::string& out, char32_t value, std::string_view sequence) {
  if (is_hidden(value)) return append_escape(out, value);
  if (value == U'"' || value == U'\\') out += '\\';
  out += sequence;
}

}  // namespace

std::size_t count_code_points(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return count;
}

std::string echo(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const json::Utf8Step step = json::next_utf8(text.substr(at));
    if (at + step.length > max_echoed) return out + "…";
    const std::string_view sequence = text.substr(at, step.length);
    if (step.valid) {
      append_visible(out, value_of(sequence), sequence);
    } else {
      out += "\uFFFD";
    }
    at += step.length;
  }
  return out;
}

}  // namespace toolwire::types
