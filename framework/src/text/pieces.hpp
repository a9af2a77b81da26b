// Splits a text into what a reader sees and what is hidden. Independent of what is done with either.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "text/character_class.hpp"
#include "toolwire/text.hpp"

namespace toolwire::text {

struct Piece {
  enum class Kind : std::uint8_t { seen, hidden, invalid };

  std::string_view bytes;  // a run of ASCII, a character with what belongs to it, or the part that one U+FFFD replaces
  char32_t code = 0;       // of a hidden one
  Kind kind = Kind::seen;
};

/// One pass over a text, which must outlive it. One thread.
class Pieces {
 public:
  explicit Pieces(std::string_view text) : rest_(text) {}

  bool is_done() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }

  /// There must be one.
  Piece next();

  /// Leaves out the next `bytes`; what stands behind them does not belong to what stood before.
  void skip(std::size_t bytes);

 private:
  /// What comes before a hidden character, as far as it may belong to that.
  enum class Before : std::uint8_t { other, keycap, pictograph, black_flag, emoji, joining, virama };

  void see(char32_t code, CharacterClass kind);
  std::size_t length_belonging(const Character& character);
  std::size_t joiner(const Character& character);
  std::size_t selector(const Character& character);
  std::size_t tags();

  std::string_view rest_;
  Before before_ = Before::other;
};

}  // namespace toolwire::text
