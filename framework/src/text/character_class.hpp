// What a reader sees of a character, and which hidden characters may follow it.
#pragma once

#include <cstdint>

namespace toolwire::text {

/// Of several that apply, the last one here.
enum class CharacterClass : std::uint8_t {
  shown,       // a reader sees it
  mark,        // drawn onto the character before it
  joining,     // a letter that is drawn joined to its neighbours, as in Arabic
  virama,      // takes a letter's vowel, so that it joins the next one, as in Devanagari
  pictograph,  // an emoji, also one that Unicode has only reserved
  modifier,    // a skin tone
  hidden       // invisible; see toolwire/text.hpp. Code points reserved for ideographs count as shown
};

CharacterClass class_of(char32_t code);

}  // namespace toolwire::text
