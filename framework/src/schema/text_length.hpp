// The length of a text in code points, counted only as far as a bound needs it.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "schema/key_table.hpp"

namespace toolwire::schema {

/// Code points of UTF-8: the bytes that do not continue one. Eight at a time.
inline std::size_t count_code_points(std::string_view text) {
  std::size_t continuing = 0;
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    const std::uint64_t word = load8(text.data() + at);
    continuing += static_cast<std::size_t>(std::popcount((word >> 7) & ~(word >> 6) & 0x0101010101010101U));
  }
  for (; at < text.size(); ++at) continuing += (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80U ? 1U : 0U;
  return text.size() - continuing;
}

/// Whether the text has `least` to `most` code points. Most texts are decided by their number of bytes alone.
inline bool has_length(std::string_view text, std::uint32_t least, std::uint32_t most) {
  if (text.size() < least || text.size() / 4 > most) return false;
  if ((text.size() + 3) / 4 >= least && text.size() <= most) return true;
  const std::size_t length = count_code_points(text);
  return length >= least && length <= most;
}

}  // namespace toolwire::schema
