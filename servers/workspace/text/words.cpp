#include "workspace/text/words.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>

#include "workspace/text/word_table.hpp"

namespace workspace {
namespace {

constexpr char32_t last_code = 0x10FFFF;
constexpr char32_t no_character = 0xFFFFFFFF;

unsigned char byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

struct Character {
  char32_t code = no_character;
  std::size_t size = 0;
};

Character character_at(std::string_view text, std::size_t at) {
  const unsigned char first = byte_at(text, at);
  if (first < 0x80) return {first, 1};
  const std::size_t size = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
  if (size == 0 || text.size() - at < size) return {};
  char32_t code = first & (0x7FU >> size);
  for (std::size_t i = 1; i < size; ++i) {
    const unsigned char next = byte_at(text, at + i);
    if ((next & 0xC0U) != 0x80U) return {};
    code = code << 6U | (next & 0x3FU);
  }
  constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code < least[size] || code > last_code || is_surrogate ? Character{} : Character{code, size};
}

bool is_word(char32_t code) {
  const auto* const found = std::lower_bound(word_ranges.begin(), word_ranges.end(), code,
                                             [](CodeRange range, char32_t wanted) { return range.last < wanted; });
  return found != word_ranges.end() && found->first <= code;
}

void add_range(std::string& to, char32_t first, char32_t last) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto add = [&](char32_t code) {
    to += "\\x{";
    for (int shift = 20; shift >= 0; shift -= 4) to += digits[code >> static_cast<unsigned>(shift) & 0xFU];
    to += '}';
  };
  add(first);
  to += '-';
  add(last);
}

std::string text_of(std::span<const CodeRange> ranges) {
  std::string text;
  for (const CodeRange range : ranges) add_range(text, range.first, range.last);
  return text;
}

std::string text_of_others(std::span<const CodeRange> ranges) {
  std::string text;
  char32_t next = 0;
  for (const CodeRange range : ranges) {
    if (range.first > next) add_range(text, next, range.first - 1);
    next = range.last + 1;
  }
  add_range(text, next, last_code);
  return text;
}

}  // namespace

bool is_ascii(std::string_view text) {
  constexpr std::uint64_t high_bits = 0x8080808080808080;
  constexpr std::size_t step = 4 * sizeof(std::uint64_t);
  for (; text.size() >= step; text.remove_prefix(step)) {
    std::array<std::uint64_t, 4> now{};
    std::memcpy(now.data(), text.data(), step);
    if (((now[0] | now[1] | now[2] | now[3]) & high_bits) != 0) return false;
  }
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::size_t character_size(std::string_view text, std::size_t at) { return character_at(text, at).size; }

bool is_word_at(std::string_view text, std::size_t at) {
  return at < text.size() && is_word(character_at(text, at).code);
}

bool is_word_before(std::string_view text, std::size_t at) {
  constexpr std::size_t most = 4;
  for (std::size_t size = 1; size <= std::min(most, at); ++size) {
    if ((byte_at(text, at - size) & 0xC0U) == 0x80U) continue;
    const Character character = character_at(text, at - size);
    return character.size == size && is_word(character.code);
  }
  return false;
}

const std::string& class_ranges(char kind) {
  static const std::array<std::string, 6> texts{text_of(word_ranges),         text_of(digit_ranges),
                                                text_of(space_ranges),        text_of_others(word_ranges),
                                                text_of_others(digit_ranges), text_of_others(space_ranges)};
  constexpr std::string_view kinds = "wdsWDS";
  return texts.at(kinds.find(kind));
}

}  // namespace workspace
