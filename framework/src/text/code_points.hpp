// The length of a text in code points, as JSON Schema counts it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace toolwire::text {

/// Code points of UTF-8: the bytes that do not continue one. Counts in eight lanes of a word at once; a lane holds 255.
inline std::size_t count_code_points(std::string_view text) {
  constexpr std::uint64_t lowest_bits = 0x0101010101010101U;
  std::size_t continuing = 0;
  std::size_t at = 0;
  while (at + 8 <= text.size()) {
    const std::size_t end = std::min(text.size() - 7, at + std::size_t{255} * 8);
    std::uint64_t lanes = 0;
    for (; at < end; at += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, text.data() + at, sizeof word);
      lanes += (word >> 7) & ~(word >> 6) & lowest_bits;
    }
    continuing += static_cast<std::size_t>(((lanes & 0x00ff00ff00ff00ffU) * 0x0001000100010001U >> 48) +
                                           (((lanes >> 8) & 0x00ff00ff00ff00ffU) * 0x0001000100010001U >> 48));
  }
  for (; at < text.size(); ++at) continuing += (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80U ? 1U : 0U;
  return text.size() - continuing;
}

}  // namespace toolwire::text
