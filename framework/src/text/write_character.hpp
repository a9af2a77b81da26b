// Characters to UTF-8. Inline, because the loop that reads JSON strings uses it.
#pragma once

namespace toolwire::text {

/// Writes up to four bytes and returns where they end.
inline char* write_character(char* to, char32_t code) {
  const auto byte = [](char32_t bits) { return static_cast<char>(static_cast<unsigned char>(bits)); };
  const auto rest = [&](char32_t bits) { return byte(0x80U | (bits & 0x3FU)); };
  if (code < 0x80) {
    *to++ = byte(code);
  } else if (code < 0x800) {
    *to++ = byte(0xC0U | code >> 6U);
    *to++ = rest(code);
  } else if (code < 0x10000) {
    *to++ = byte(0xE0U | code >> 12U);
    *to++ = rest(code >> 6U);
    *to++ = rest(code);
  } else {
    *to++ = byte(0xF0U | code >> 18U);
    *to++ = rest(code >> 12U);
    *to++ = rest(code >> 6U);
    *to++ = rest(code);
  }
  return to;
}

}  // namespace toolwire::text
