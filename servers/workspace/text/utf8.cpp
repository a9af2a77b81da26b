#include "workspace/text/utf8.hpp"

#include <cstdint>

namespace workspace {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

struct Character {
  std::size_t length;
  bool valid;
  char32_t code;
};

struct Lead {
  std::size_t length;       // 0: no character begins with this byte
  unsigned char low, high;  // what the second byte may be; the rest is 80..BF
};

Lead lead(unsigned char byte) {
  if (byte < 0x80) return {1, 0, 0};
  if (byte < 0xC2) return {0, 0, 0};
  if (byte < 0xE0) return {2, 0x80, 0xBF};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte < 0xF0) return {3, 0x80, 0xBF};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte < 0xF4) return {4, 0x80, 0xBF};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

// The character at the front of `bytes` (not empty), or the ill-formed sequence there.
Character first_character(std::string_view bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const Lead rule = lead(byte(0));
  if (rule.length == 0) return {1, false, 0};
  if (rule.length == 1) return {1, byte(0) != 0, byte(0)};
  char32_t code = byte(0) & (0x7FU >> rule.length);
  for (std::size_t i = 1; i < rule.length; ++i) {
    const unsigned char low = i == 1 ? rule.low : 0x80;
    const unsigned char high = i == 1 ? rule.high : 0xBF;
    if (i >= bytes.size() || byte(i) < low || byte(i) > high) return {i, false, 0};
    code = (code << 6) | (byte(i) & 0x3FU);
  }
  return {rule.length, true, code};
}

std::size_t ascii_run(std::string_view bytes) {
  std::size_t n = 0;
  while (n < bytes.size() && bytes[n] != '\0' && static_cast<unsigned char>(bytes[n]) < 0x80) ++n;
  return n;
}

// Characters that hide, reorder or break up what is printed around them.
bool misleads(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0xAD || code == 0x61C || code == 0x180E ||
         (code >= 0x200B && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2060 && code <= 0x2069) || code == 0xFEFF;
}

void append_escape(std::string& out, char32_t code) {
  constexpr std::string_view digits = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += digits[(code >> shift) & 0xFU];
}

bool needs_quotes(std::string_view text) {
  if (text.empty() || text.front() == '"' || text.front() == ' ' || text.back() == ' ') return true;
  for (std::size_t i = 0; i < text.size();) {
    const Character character = first_character(text.substr(i));
    if (misleads(character.code)) return true;
    i += character.length;
  }
  return false;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size();) {
    const Character character = first_character(text.substr(i));
    if (character.code == '"' || character.code == '\\') out += '\\';
    if (misleads(character.code)) {
      append_escape(out, character.code);
    } else {
      out += text.substr(i, character.length);
    }
    i += character.length;
  }
  return out += '"';
}

}  // namespace

ValidText valid_utf8_prefix(std::string_view bytes, std::size_t most) {
  ValidText result;
  while (result.consumed < bytes.size()) {
    std::string_view rest = bytes.substr(result.consumed);
    const std::size_t room = most - result.text.size();
    if (const std::size_t run = ascii_run(rest.substr(0, room)); run > 0) {
      result.text += rest.substr(0, run);
      result.consumed += run;
      continue;
    }
    const Character character = first_character(rest);
    const std::string_view shown = character.valid ? rest.substr(0, character.length) : replacement;
    if (shown.size() > room) break;
    result.text += shown;
    result.consumed += character.length;
  }
  return result;
}

std::string valid_utf8(std::string_view bytes) {
  return valid_utf8_prefix(bytes, std::numeric_limits<std::size_t>::max()).text;
}

bool is_valid_utf8(std::string_view bytes) {
  std::size_t i = 0;
  while (i < bytes.size()) {
    const Character character = first_character(bytes.substr(i));
    if (!character.valid) return false;
    i += character.length;
  }
  return true;
}

std::string shown_path(std::string_view path, std::size_t most) {
  const std::string text = valid_utf8(path);
  const std::string shown = needs_quotes(text) ? quoted(text) : text;
  return shown.size() <= most ? shown : valid_utf8_prefix(shown, most).text + "...";
}

}  // namespace workspace
