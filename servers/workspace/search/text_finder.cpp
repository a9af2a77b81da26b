#include "workspace/search/text_finder.hpp"

#ifdef __x86_64__
#include <emmintrin.h>
#endif

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace workspace {
namespace {

constexpr std::size_t width = 16;
constexpr std::size_t window = 1024;
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

/// A sign, sixteen times.
struct Lanes {
  explicit Lanes(const TextFinder::Sign& sign)
      : at(sign.at),
        byte(_mm_set1_epi8(static_cast<char>(sign.byte))),
        folded(_mm_set1_epi8(static_cast<char>(sign.folded))) {}

  __m128i stand(const char* place) const {
    const __m128i now = _mm_loadu_si128(reinterpret_cast<const __m128i*>(place + at));
    return _mm_cmpeq_epi8(_mm_or_si128(now, folded), byte);
  }

  std::size_t at;
  __m128i byte, folded;
};

/// A bit for each of sixteen places at which both signs stand.
unsigned places_of(const Lanes& first, const Lanes& second, const char* place) {
  return static_cast<unsigned>(_mm_movemask_epi8(_mm_and_si128(first.stand(place), second.stand(place))));
}

}  // namespace

/// The first place from which on the text stands, or may stand behind the last whole block.
std::size_t TextFinder::find_in_blocks(const Text& text, std::string_view in, std::size_t from) const {
  const Lanes first{text.first};
  const Lanes second{text.second};
  const std::size_t furthest = std::max(text.first.at, text.second.at);
  for (; in.size() >= from + furthest + width; from += width) {
    for (unsigned places = places_of(first, second, in.data() + from); places != 0; places &= places - 1) {
      const std::size_t at = from + static_cast<std::size_t>(std::countr_zero(places));
      if (stands(text, in, at)) return at;
    }
  }
  return from;
}

#else

std::size_t TextFinder::find_in_blocks(const Text&, std::string_view, std::size_t from) const { return from; }

#endif

}  // namespace workspace
