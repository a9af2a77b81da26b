// Where in a text the bytes stand that a JSON string has to treat specially, sixty-four at a time.
// Knows nothing of values; reading and writing strings share it. Byte by byte +20 % (call), +235 % (large).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace toolwire::json {

/// One bit for each byte of a block, the first byte's the lowest.
struct SpecialBytes {
  static constexpr std::size_t block = 64;

  std::uint64_t special = 0;       ///< Quotes, backslashes and bytes below 0x20.
  std::uint64_t beyond_ascii = 0;  ///< Bytes from 0x80 on.
};

#ifdef __SSE2__

inline __m128i load_16(const char* bytes) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes)); }

/// All bits of the bytes that are special.
inline __m128i special_of(__m128i text) {
  const __m128i quote = _mm_cmpeq_epi8(text, _mm_set1_epi8('"'));
  const __m128i backslash = _mm_cmpeq_epi8(text, _mm_set1_epi8('\\'));
  // Unsigned: below 0x20 is where the greater of the byte and 0x1F is 0x1F.
  const __m128i control = _mm_cmpeq_epi8(_mm_max_epu8(text, _mm_set1_epi8(0x1F)), _mm_set1_epi8(0x1F));
  return _mm_or_si128(control, _mm_or_si128(quote, backslash));
}

/// Sixteen bits for sixteen bytes.
inline SpecialBytes special_in_16(const char* bytes) {
  const __m128i text = load_16(bytes);
  return {static_cast<std::uint32_t>(_mm_movemask_epi8(special_of(text))),
          static_cast<std::uint32_t>(_mm_movemask_epi8(text))};
}

/// Whether there is any, without the places. Sixteen bytes at a time instead +9 % (large, large_wide).
inline SpecialBytes any_in_block(const char* bytes) {
  const __m128i text[] = {load_16(bytes), load_16(bytes + 16), load_16(bytes + 32), load_16(bytes + 48)};
  const __m128i special = _mm_or_si128(_mm_or_si128(special_of(text[0]), special_of(text[1])),
                                       _mm_or_si128(special_of(text[2]), special_of(text[3])));
  const __m128i all = _mm_or_si128(_mm_or_si128(text[0], text[1]), _mm_or_si128(text[2], text[3]));
  return {static_cast<std::uint32_t>(_mm_movemask_epi8(special)), static_cast<std::uint32_t>(_mm_movemask_epi8(all))};
}

#else

inline SpecialBytes special_in_16(const char* bytes) {
  SpecialBytes found;
  for (unsigned i = 0; i < 16; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    const bool special = byte < 0x20 || byte == '"' || byte == '\\';
    found.special |= static_cast<std::uint64_t>(special) << i;
    found.beyond_ascii |= static_cast<std::uint64_t>(byte >> 7U) << i;
  }
  return found;
}

inline SpecialBytes any_in_block(const char* bytes) {
  SpecialBytes any;
  for (unsigned i = 0; i < SpecialBytes::block; i += 16) {
    const SpecialBytes part = special_in_16(bytes + i);
    any.special |= part.special;
    any.beyond_ascii |= part.beyond_ascii;
  }
  return any;
}

#endif

inline SpecialBytes special_in_block(const char* bytes) {
  SpecialBytes found;
  for (unsigned i = 0; i < SpecialBytes::block; i += 16) {
    const SpecialBytes part = special_in_16(bytes + i);
    found.special |= part.special << i;
    found.beyond_ascii |= part.beyond_ascii << i;
  }
  return found;
}

/// The first of the special bytes in a block; there must be one.
inline const char* first_special(const char* block, const SpecialBytes& found, bool& has_others) {
  const auto place = static_cast<unsigned>(std::countr_zero(found.special));
  has_others = has_others || (found.beyond_ascii & ((std::uint64_t{1} << place) - 1)) != 0;
  return block + place;
}

/// The first special byte at or after `at`, or `end`. Sets `has_others` if it passes bytes beyond ASCII.
inline const char* skip_to_special(const char* at, const char* end, bool& has_others) {
  constexpr std::ptrdiff_t block = SpecialBytes::block;
  std::ptrdiff_t singly = block;  // bytes to be looked at by sixteens: most texts end within them
  while (end - at >= 16) {
    if (singly <= 0 && end - at >= block) {
      const SpecialBytes any = any_in_block(at);
      if (any.special == 0) {
        has_others = has_others || any.beyond_ascii != 0;
        at += block;
        continue;
      }
      singly = block;
    }
    const SpecialBytes found = special_in_16(at);
    if (found.special != 0) return first_special(at, found, has_others);
    has_others = has_others || found.beyond_ascii != 0;
    at += 16;
    singly -= 16;
  }
  for (; at != end; ++at) {
    const auto byte = static_cast<unsigned char>(*at);
    if (byte < 0x20 || byte == '"' || byte == '\\') return at;
    has_others = has_others || byte >= 0x80;
  }
  return at;
}

}  // namespace toolwire::json
