#include "workspace/search/text_finder.hpp"

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace workspace {
namespace {

constexpr std::size_t width = 32;
constexpr std::size_t window = 4096;
constexpr unsigned char case_bit = 0x20;

// From common to rare in programs and prose; characters not listed are rarer.
constexpr std::string_view common = " etaoinsrldcumpfhg\nyb_vk,.()=w;:x\"-/'0123>*<{}[]S";

std::size_t rarity(char c) {
  const std::size_t place = common.find(c);
  return place == std::string_view::npos ? common.size() : place;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

char lower(char c) { return is_letter(c) ? static_cast<char>(c | case_bit) : c; }

/// The place of the rarest byte but for the one at `except`; of equally rare ones the first.
std::size_t rarest(const std::string& text, std::size_t except) {
  std::size_t best = except == 0 && text.size() > 1 ? 1 : 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (i != except && rarity(text[i]) > rarity(text[best])) best = i;
  return best;
}

}  // namespace

TextFinder::TextFinder(std::vector<std::string> texts, Case letters) : letters_(letters) {
  for (std::string& text : texts) {
    if (letters == Case::ignored) std::transform(text.begin(), text.end(), text.begin(), lower);
    const std::size_t first = rarest(text, std::string::npos);
    const Sign one = sign(text, first);
    const Sign other = sign(text, rarest(text, first));
    texts_.push_back({std::move(text), one, other});
  }
}

TextFinder::Sign TextFinder::sign(const std::string& text, std::size_t at) const {
  const bool folds = letters_ == Case::ignored && is_letter(text[at]);
  return {at, static_cast<unsigned char>(text[at]), folds ? case_bit : static_cast<unsigned char>(0)};
}

bool TextFinder::stands(const Text& text, std::string_view in, std::size_t at) const {
  if (in.size() - at < text.text.size()) return false;
  if (letters_ == Case::matters) return std::memcmp(in.data() + at, text.text.data(), text.text.size()) == 0;
  return std::equal(text.text.begin(), text.text.end(), in.data() + at, [](char a, char b) { return a == lower(b); });
}

// Of several texts none is looked for much further than the first that stands.
std::size_t TextFinder::find(std::string_view in, std::size_t from) const {
  const std::size_t step = texts_.size() == 1 ? in.size() : window;
  for (; from < in.size(); from += std::min(step, in.size() - from)) {
    const std::size_t at = find_between(in, from, from + std::min(step, in.size() - from));
    if (at != std::string_view::npos) return at;
  }
  return std::string_view::npos;
}

/// The first place before `end`.
std::size_t TextFinder::find_between(std::string_view in, std::size_t from, std::size_t end) const {
  std::size_t best = std::string_view::npos;
  for (const Text& text : texts_) {
    const std::string_view part = in.substr(0, end + text.text.size() - 1);
    for (std::size_t at = find_in_blocks(text, part, from); at < part.size(); ++at) {
      if (!stands(text, part, at)) continue;
      best = at;
      end = at;
      break;
    }
  }
  return best;
}

#ifdef __x86_64__

namespace {

/// A sign, as often as a block has bytes.
struct Lanes {
  __attribute__((target("avx2"))) explicit Lanes(const TextFinder::Sign& sign)
      : at(sign.at),
        byte(_mm256_set1_epi8(static_cast<char>(sign.byte))),
        folded(_mm256_set1_epi8(static_cast<char>(sign.folded))) {}

  __attribute__((target("avx2"))) __m256i stand(const char* place) const {
    const __m256i now = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(place + at));
    return _mm256_cmpeq_epi8(_mm256_or_si256(now, folded), byte);
  }

  std::size_t at;
  __m256i byte, folded;
};

/// A bit for each place of a block at which both signs stand.
__attribute__((target("avx2"))) inline unsigned places_of(const Lanes& first, const Lanes& second, const char* place) {
  return static_cast<unsigned>(_mm256_movemask_epi8(_mm256_and_si256(first.stand(place), second.stand(place))));
}

/// The first block from which on both signs stand somewhere, or the end of the whole blocks.
__attribute__((target("avx2"))) const char* next_block(const TextFinder::Sign& one, const TextFinder::Sign& other,
                                                       const char* from, const char* end, unsigned& places) {
  const Lanes first{one};
  const Lanes second{other};
  for (; from < end; from += width) {
    places = places_of(first, second, from);
    if (places != 0) break;
  }
  return from;
}

}  // namespace

/// The first place from which on the text stands, or may stand behind the last whole block.
std::size_t TextFinder::find_in_blocks(const Text& text, std::string_view in, std::size_t from) const {
  static const bool has_blocks = __builtin_cpu_supports("avx2") > 0;
  const std::size_t beyond = std::max(text.first.at, text.second.at) + width - 1;
  if (!has_blocks || in.size() <= from + beyond) return from;
  const char* const end = in.data() + in.size() - beyond;
  const char* block = in.data() + from;
  while (block < end) {
    unsigned places = 0;
    block = next_block(text.first, text.second, block, end, places);
    if (places == 0) break;
    for (; places != 0; places &= places - 1) {
      const auto at = static_cast<std::size_t>(block - in.data() + std::countr_zero(places));
      if (stands(text, in, at)) return at;
    }
    block += width;
  }
  return static_cast<std::size_t>(block - in.data());
}

#else

std::size_t TextFinder::find_in_blocks(const Text&, std::string_view, std::size_t from) const { return from; }

#endif

}  // namespace workspace
