// The texts of a server that models read, and what is wrong with one of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "target/target.hpp"

namespace toolwire::conformance {

struct ListedText {
  std::string where;  // for people: "the tool echo, /description"
  std::string text;
};

/// All texts of the lists, names of members included, and the instructions. What is in `_meta` no model reads.
std::vector<ListedText> listed_texts(const Offer& offer);

/// The first character that hides something, as "\u{E0041}": control characters, tags outside of flags, overrides of
/// the direction, two variation selectors in a row, and within a word of ASCII what has no width. What scripts and
/// emoji need is none. Empty: there is none.
std::string hidden_character(std::string_view bytes);

/// The words that give a model an order it must not get from a description. Empty: there are none.
std::string_view order_to_the_model(std::string_view text);

}  // namespace toolwire::conformance
