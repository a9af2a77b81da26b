// A few texts one of which every match of a regular expression contains, so that most of the input need only be
// searched for those. Independent of how they are searched.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "workspace/names/glob.hpp"

namespace workspace {

struct RequiredText {
  std::vector<std::string> any_of = {};  // empty: none is known
  bool is_all = false;                   // the expression is just this text
  Case letters = Case::matters;
};

/// Of an RE2 expression without flags, other than (?i) at its start. Finds plain runs of characters, in the branches of
/// alternatives too; what it does not understand, it gives up on. With Case::ignored each text is one whose letters
/// have no third form in Unicode, as k has the Kelvin sign, so that only the case of ASCII need be ignored.
RequiredText required_text(std::string_view expression, Case letters = Case::matters);

/// The same of a text that is meant as it is.
RequiredText required_of_text(std::string_view text, Case letters);

}  // namespace workspace
