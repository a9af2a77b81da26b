#include "text/pieces.hpp"

#include <cstring>
#include <string>

#include "text/character_table.hpp"

namespace toolwire::text {
namespace {

constexpr char32_t zero_width_non_joiner = 0x200C;
constexpr char32_t zero_width_joiner = 0x200D;
constexpr char32_t enclosing_keycap = 0x20E3;
constexpr char32_t text_style = 0xFE0E;  // variation selectors 15 and 16
constexpr char32_t emoji_style = 0xFE0F;
constexpr char32_t black_flag = 0x1F3F4;
constexpr char32_t first_tag = 0xE0020;
constexpr char32_t last_tag = 0xE007F;

bool is_seen_ascii(char c) { return c >= 0x20 && c < 0x7F; }

/// How many visible ASCII characters `text` begins with; eight at a time.
std::size_t seen_ascii(std::string_view text) {
  constexpr std::uint64_t ones = 0x0101010101010101U;
  std::size_t at = 0;
  for (; text.size() - at >= 8; at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, 8);
    // The high bit of a byte that is below 20, 7F or above; also of bytes behind such a one, which are looked at below.
    const std::uint64_t others = (word | (word - ones * 0x20) | (word + ones)) & (ones * 0x80);
    if (others != 0) break;
  }
  while (at < text.size() && is_seen_ascii(text[at])) ++at;
  return at;
}

bool is_keycap(char c) { return (c >= '0' && c <= '9') || c == '#' || c == '*'; }

/// The class of the character that `text` begins with.
CharacterClass first_class(std::string_view text) {
  if (text.empty()) return CharacterClass::hidden;
  const Character character = first_character(text);
  return character.is_valid ? class_of(character.code) : CharacterClass::hidden;
}

}  // namespace

Piece Pieces::next() {
  const std::string_view from = rest_;
  if (const std::size_t run = seen_ascii(rest_); run > 0) {
    before_ = is_keycap(from[run - 1]) ? Before::keycap : Before::other;
    rest_.remove_prefix(run);
    return {from.substr(0, run)};
  }
  const Character character = first_character(rest_);
  Piece piece{from.substr(0, character.length), character.code, Piece::Kind::invalid};
  if (!character.is_valid) {
    before_ = Before::other;
  } else if (const CharacterClass kind = class_of(character.code); kind != CharacterClass::hidden) {
    piece.kind = Piece::Kind::seen;
    see(character.code, kind);
  } else {
    const std::size_t belonging = length_belonging(character);
    piece.kind = belonging > 0 ? Piece::Kind::seen : Piece::Kind::hidden;
    if (belonging > 0) {
      piece.bytes = from.substr(0, belonging);
    } else {
      before_ = Before::other;
    }
  }
  rest_.remove_prefix(piece.bytes.size());
  return piece;
}

void Pieces::skip(std::size_t bytes) {
  rest_.remove_prefix(bytes);
  before_ = Before::other;
}

void Pieces::see(char32_t code, CharacterClass kind) {
  switch (kind) {
    case CharacterClass::mark:
      if (before_ != Before::joining && before_ != Before::virama) before_ = Before::other;
      return;
    case CharacterClass::joining:
      before_ = Before::joining;
      return;
    case CharacterClass::virama:
      before_ = Before::virama;
      return;
    case CharacterClass::pictograph:
      before_ = code == black_flag ? Before::black_flag : Before::pictograph;
      return;
    case CharacterClass::modifier:
      before_ = before_ == Before::pictograph ? Before::emoji : Before::other;
      return;
    case CharacterClass::shown:
    case CharacterClass::hidden:
      before_ = Before::other;
  }
}

/// How many bytes, from the hidden character on, belong to what stands before; 0 if it does not.
std::size_t Pieces::length_belonging(const Character& character) {
  const char32_t code = character.code;
  if (code == zero_width_joiner || code == zero_width_non_joiner) return joiner(character);
  if (code == text_style || code == emoji_style) return selector(character);
  if (code >= first_tag && code <= last_tag && before_ == Before::black_flag) return tags();
  return 0;
}

/// Emoji: UTS #51, ED-16. Letters: Unicode 15, section 23.2, "Cursive connection and ligatures", and UAX #31, section
/// 2.3; there only between letters that a joiner can change.
std::size_t Pieces::joiner(const Character& character) {
  const CharacterClass behind = first_class(rest_.substr(character.length));
  const bool in_emoji = before_ == Before::pictograph || before_ == Before::black_flag || before_ == Before::emoji;
  const bool belongs = (in_emoji && character.code == zero_width_joiner && behind == CharacterClass::pictograph) ||
                       (before_ == Before::joining && behind == CharacterClass::joining) || before_ == Before::virama;
  if (!belongs) return 0;
  before_ = Before::other;
  return character.length;
}

/// UTS #51, ED-8 and ED-9, and ED-14c for keycaps.
std::size_t Pieces::selector(const Character& character) {
  const std::string_view behind = rest_.substr(character.length);
  const bool keycap = before_ == Before::keycap && character.code == emoji_style && !behind.empty() &&
                      first_character(behind).code == enclosing_keycap;
  if (!keycap && before_ != Before::pictograph && before_ != Before::black_flag) return 0;
  before_ = character.code == emoji_style && !keycap ? Before::emoji : Before::other;
  return character.length;
}

/// UTS #51, ED-14a; of those only the ones that are recommended for general interchange.
std::size_t Pieces::tags() {
  for (const std::u32string_view flag : tag_flags) {
    std::string expected;
    for (const char32_t tag : flag) append_character(expected, tag);
    if (!rest_.starts_with(expected)) continue;
    before_ = Before::emoji;
    return expected.size();
  }
  return 0;
}

}  // namespace toolwire::text
