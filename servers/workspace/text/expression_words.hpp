// Writes expressions anew for RE2, whose \w, \d, \s and \b know ASCII only. Independent of RE2 itself.
#pragma once

#include <string>
#include <string_view>

namespace workspace {

/// What an expression has of these.
struct WordsUsed {
  bool classes = false;   // \w, \d, \s, \W, \D or \S
  bool bounds = false;    // \b or \B
  bool any_byte = false;  // \C
};

WordsUsed words_used(std::string_view expression);

/// For texts in ASCII: with \v among the spaces.
std::string for_ascii(std::string_view expression);

/// For any text: with Unicode's classes; \b and \B as they are, or left out.
std::string for_unicode(std::string_view expression, bool with_bounds);

}  // namespace workspace
