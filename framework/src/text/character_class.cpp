#include "text/character_class.hpp"

#include <algorithm>

#include "text/character_table.hpp"

namespace toolwire::text {

CharacterClass class_of(char32_t code) {
  const auto* const behind = std::ranges::upper_bound(character_ranges, code, {}, &CharacterRange::first);
  return std::prev(behind)->kind;
}

}  // namespace toolwire::text
