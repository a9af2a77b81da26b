#include "json/utf8.hpp"

namespace toolwire::json {
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

}  // namespace

Utf8Step next_utf8(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {1, true};
  const Lead expected = lead(byte(0));
  if (expected.length == 0) return {1, false};
  if (text.size() < 2 || byte(1) < expected.lowest_second || byte(1) > expected.highest_second) return {1, false};
  for (std::size_t i = 2; i < expected.length; ++i) {
    if (i == text.size() || (byte(i) & 0xC0U) != 0x80) return {i, false};
  }
  return {expected.length, true};
}

}  // namespace toolwire::json
