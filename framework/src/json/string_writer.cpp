#include <array>
#include <bit>
#include <cstring>
#include <string_view>

#include "json/utf8.hpp"
#include "json/writer.hpp"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace toolwire::json {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

bool is_plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x80 && c != '"' && c != '\\';
}

#ifdef __SSE2__
// Of 16 bytes, a bit for each that is not plain. As signed numbers, bytes below 0x20 and from 0x80 on are one range.
unsigned special_in_16(const char* bytes) {
  const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
  const __m128i low = _mm_cmplt_epi8(block, _mm_set1_epi8(0x20));
  const __m128i quote = _mm_cmpeq_epi8(block, _mm_set1_epi8('"'));
  const __m128i backslash = _mm_cmpeq_epi8(block, _mm_set1_epi8('\\'));
  return static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(low, _mm_or_si128(quote, backslash))));
}

const char* skip_plain(const char* at, const char* end) {
  for (; end - at >= 16; at += 16) {
    if (const unsigned special = special_in_16(at)) return at + std::countr_zero(special);
  }
  while (at != end && is_plain(*at)) ++at;
  return at;
}
#else
const char* skip_plain(const char* at, const char* end) {
  while (at != end && is_plain(*at)) ++at;
  return at;
}
#endif

void write_escape(std::string& out, char c) {
  constexpr std::string_view hex = "0123456789abcdef";
  constexpr std::string_view named = "\"\\\b\f\n\r\t";
  constexpr std::string_view letters = "\"\\bfnrt";
  const std::size_t found = named.find(c);
  if (found != std::string_view::npos) {
    const std::array<char, 2> text = {'\\', letters[found]};
    out.append(text.data(), text.size());
    return;
  }
  const auto byte = static_cast<unsigned char>(c);
  const std::array<char, 6> text = {'\\', 'u', '0', '0', hex[byte >> 4U], hex[byte & 15U]};
  out.append(text.data(), text.size());
}

// The end of a run of whole characters beyond ASCII, or `at` itself when the bytes there are not UTF-8.
const char* skip_beyond_ascii(const char* at, const char* end) {
  while (at != end && static_cast<unsigned char>(*at) >= 0x80) {
    const Utf8Step step = next_utf8({at, static_cast<std::size_t>(end - at)});
    if (!step.valid) return at;
    at += step.length;
  }
  return at;
}

// Writes what is at `at`, which is neither plain nor a character beyond ASCII, and returns the place behind it.
const char* write_special(std::string& out, const char* at, const char* end) {
  if (static_cast<unsigned char>(*at) < 0x80) {
    write_escape(out, *at);
    return at + 1;
  }
  out += replacement;
  return at + next_utf8({at, static_cast<std::size_t>(end - at)}).length;
}

}  // namespace

void write_string(std::string& out, std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  out.reserve(out.size() + text.size() + 2);
  out += '"';
  while (at != end) {
    const char* run = at;
    for (const char* before = nullptr; before != run;) {
      before = run;
      run = skip_beyond_ascii(skip_plain(run, end), end);
    }
    out.append(at, static_cast<std::size_t>(run - at));
    at = run == end ? end : write_special(out, run, end);
  }
  out += '"';
}

}  // namespace toolwire::json
