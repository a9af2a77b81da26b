#include "text/write_character.hpp"
#include "toolwire/text.hpp"

namespace toolwire::text {
namespace {

struct Lead {
  std::size_t length;           // of the whole character; 0 when no character begins with this byte
  unsigned char lowest_second;  // the second byte carries the rules against overlong forms, surrogates and > U+10FFFF
  unsigned char highest_second;
};

Lead lead(unsigned char byte) {
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

constexpr std::size_t max_length = 4;  // of a character, in bytes

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

}  // namespace

Character first_character(std::string_view bytes) {
  const auto byte = [bytes](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  if (byte(0) < 0x80) return {byte(0), 1, true};
  const Lead expected = lead(byte(0));
  if (expected.length == 0) return {0, 1, false};
  if (bytes.size() < 2 || byte(1) < expected.lowest_second || byte(1) > expected.highest_second) return {0, 1, false};
  char32_t code = (byte(0) & (0x7FU >> expected.length)) << 6U | (byte(1) & 0x3FU);
  for (std::size_t i = 2; i < expected.length; ++i) {
    if (i == bytes.size() || !continues_character(bytes[i])) return {0, i, false};
    code = code << 6U | (byte(i) & 0x3FU);
  }
  return {code, expected.length, true};
}

void append_character(std::string& out, char32_t code) {
  char bytes[max_length];
  out.append(bytes, write_character(bytes, code));
}

std::string_view head(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  std::size_t end = bytes;
  while (end > 0 && bytes - end < max_length && continues_character(text[end])) --end;
  return text.substr(0, end);
}

std::string_view tail(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  const std::size_t from = text.size() - bytes;
  std::size_t begin = from;
  while (begin < text.size() && begin - from < max_length && continues_character(text[begin])) ++begin;
  return text.substr(begin);
}

}  // namespace toolwire::text
