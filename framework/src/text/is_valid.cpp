// Validates sixteen bytes at a time with three table look-ups, after J. Keiser and D. Lemire, "Validating UTF-8 in less
// than one instruction per byte" (2020); one character at a time where the processor has no byte shuffle.
#include "toolwire/text.hpp"

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace toolwire::text {
namespace {

bool is_valid_by_characters(std::string_view bytes) {
  while (!bytes.empty()) {
    const Character character = first_character(bytes);
    if (!character.is_valid) return false;
    bytes.remove_prefix(character.length);
  }
  return true;
}

#ifdef __x86_64__

// What can be wrong with two bytes in a row, a bit each. It is wrong if the bit stands in all three tables: that of the
// first byte's high half, of its low half, and of the second byte's high half.
constexpr char too_short = 1 << 0;          // a lead without its continuation
constexpr char too_long = 1 << 1;           // a continuation after ASCII
constexpr char overlong_3 = 1 << 2;         // E0 and below A0
constexpr char too_large = 1 << 3;          // F4 and from 90 on, or a lead above F4
constexpr char surrogate = 1 << 4;          // ED and from A0 on
constexpr char overlong_2 = 1 << 5;         // C0 or C1
constexpr char overlong_4 = 1 << 6;         // F0 and below 90
constexpr char too_large_1000 = 1 << 6;     // a lead above F4 and below 90
constexpr char two_continuations = '\x80';  // right only where a longer character goes on; see below
constexpr char any_low = too_short | too_long | two_continuations;
constexpr char large_low = any_low | too_large | too_large_1000;

alignas(16) constexpr char first_high[16] = {too_long,
                                             too_long,
                                             too_long,
                                             too_long,
                                             too_long,
                                             too_long,
                                             too_long,
                                             too_long,
                                             two_continuations,
                                             two_continuations,
                                             two_continuations,
                                             two_continuations,
                                             too_short | overlong_2,
                                             too_short,
                                             too_short | overlong_3 | surrogate,
                                             too_short | too_large | too_large_1000 | overlong_4};
alignas(16) constexpr char first_low[16] = {any_low | overlong_3 | overlong_2 | overlong_4,
                                            any_low | overlong_2,
                                            any_low,
                                            any_low,
                                            any_low | too_large,
                                            large_low,
                                            large_low,
                                            large_low,
                                            large_low,
                                            large_low,
                                            large_low,
                                            large_low,
                                            large_low,
                                            large_low | surrogate,
                                            large_low,
                                            large_low};
constexpr char continuation = too_long | overlong_2 | two_continuations;
alignas(16) constexpr char second_high[16] = {too_short,
                                              too_short,
                                              too_short,
                                              too_short,
                                              too_short,
                                              too_short,
                                              too_short,
                                              too_short,
                                              continuation | overlong_3 | too_large_1000 | overlong_4,
                                              continuation | overlong_3 | too_large,
                                              continuation | surrogate | too_large,
                                              continuation | surrogate | too_large,
                                              too_short,
                                              too_short,
                                              too_short,
                                              too_short};

/// What is wrong in `now`, given the sixteen bytes before it; all zero if nothing is.
__attribute__((target("ssse3"))) inline __m128i faults(__m128i now, __m128i before) {
  const auto table = [](const char* bytes) { return _mm_load_si128(reinterpret_cast<const __m128i*>(bytes)); };
  const __m128i low_half = _mm_set1_epi8(0x0F);
  const __m128i first = _mm_alignr_epi8(now, before, 15);
  const __m128i by_high = _mm_shuffle_epi8(table(first_high), _mm_and_si128(_mm_srli_epi16(first, 4), low_half));
  const __m128i by_low = _mm_shuffle_epi8(table(first_low), _mm_and_si128(first, low_half));
  const __m128i by_second = _mm_shuffle_epi8(table(second_high), _mm_and_si128(_mm_srli_epi16(now, 4), low_half));
  const __m128i pair = _mm_and_si128(by_high, _mm_and_si128(by_low, by_second));
  // Two continuations in a row are right exactly where a lead of three stands two before, or one of four three before.
  const __m128i third = _mm_subs_epu8(_mm_alignr_epi8(now, before, 14), _mm_set1_epi8(0xE0 - 0x80));
  const __m128i fourth = _mm_subs_epu8(_mm_alignr_epi8(now, before, 13), _mm_set1_epi8(static_cast<char>(0xF0 - 0x80)));
  const __m128i expected = _mm_and_si128(_mm_or_si128(third, fourth), _mm_set1_epi8(two_continuations));
  return _mm_xor_si128(pair, expected);
}

__attribute__((target("ssse3"))) bool is_valid_by_blocks(std::string_view text) {
  __m128i before = _mm_setzero_si128();
  __m128i wrong = _mm_setzero_si128();
  std::size_t at = 0;
  const auto look_at = [&](const char* bytes) __attribute__((target("ssse3"))) {
    const __m128i now = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
    if ((_mm_movemask_epi8(now) | _mm_movemask_epi8(before)) == 0) return;  // ASCII all around
    wrong = _mm_or_si128(wrong, faults(now, before));
    before = now;
  };
  for (; text.size() - at >= 16; at += 16) look_at(text.data() + at);
  char rest[16] = {};  // the zeros behind the text show a character that is cut off, as ASCII does
  text.copy(rest, sizeof rest, at);
  look_at(rest);
  return _mm_movemask_epi8(_mm_cmpeq_epi8(wrong, _mm_setzero_si128())) == 0xFFFF;
}

#endif

}  // namespace

bool is_valid(std::string_view bytes) {
#ifdef __x86_64__
  static const bool has_shuffle = __builtin_cpu_supports("ssse3") != 0;
  if (has_shuffle) return is_valid_by_blocks(bytes);
#endif
  return is_valid_by_characters(bytes);
}

}  // namespace toolwire::text
