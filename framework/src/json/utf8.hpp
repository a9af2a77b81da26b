// Which bytes are UTF-8. Knows nothing of JSON.
#pragma once

#include <cstddef>
#include <string_view>

namespace toolwire::json {

/// What stands at the start of some bytes: how many belong together, and whether they are one character.
struct Utf8Step {
  std::size_t length =
      1;  ///< Of the character, or of the maximal part to be replaced by one U+FFFD (Unicode 15, 3.9, table 3-8).
  bool valid = false;
};

/// Looks at the first character of `text`, which must not be empty. Overlong forms, surrogates and values above
/// U+10FFFF are not valid.
Utf8Step next_utf8(std::string_view text);

}  // namespace toolwire::json
