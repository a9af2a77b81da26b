#include "workspace/text/newlines.hpp"

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include <algorithm>
#include <cstddef>

namespace workspace {
namespace {

std::uint64_t one_by_one(std::string_view text) {
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

#ifdef __x86_64__

constexpr std::size_t width = 32;
constexpr std::size_t most_steps = 255;  // a byte counts so far

/// Of up to 255 blocks of 32 bytes; takes them off the text.
__attribute__((target("avx2"))) std::uint64_t of_blocks(std::string_view& text) {
  const std::size_t steps = std::min(text.size() / width, most_steps);
  const __m256i wanted = _mm256_set1_epi8('\n');
  __m256i found = _mm256_setzero_si256();
  for (std::size_t step = 0; step < steps; ++step) {
    const __m256i now = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text.data() + step * width));
    found = _mm256_sub_epi8(found, _mm256_cmpeq_epi8(now, wanted));
  }
  text.remove_prefix(steps * width);
  const __m256i sums = _mm256_sad_epu8(found, _mm256_setzero_si256());
  return static_cast<std::uint64_t>(_mm256_extract_epi64(sums, 0) + _mm256_extract_epi64(sums, 1) +
                                    _mm256_extract_epi64(sums, 2) + _mm256_extract_epi64(sums, 3));
}

#endif

}  // namespace

std::uint64_t newlines(std::string_view text) {
  std::uint64_t count = 0;
#ifdef __x86_64__
  static const bool has_blocks = __builtin_cpu_supports("avx2") > 0;
  while (has_blocks && text.size() >= width) count += of_blocks(text);
#endif
  return count + one_by_one(text);
}

}  // namespace workspace
