// Finds members that an object has twice. Works on the text, as a value has forgotten them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace toolwire::json {

struct Duplicate {
  std::string name;    ///< Escapes resolved.
  std::size_t at = 0;  ///< Byte of the later member's name, near it if the name has escapes.
};

enum class Within { all_objects, outermost_object };

/// A doubled member of a text that parses with `max_depth`, or nothing. Names are compared with their escapes resolved.
/// Takes n log n time for an object of n members.
std::optional<Duplicate> find_duplicate(std::string_view text, std::size_t max_depth, Within within);

}  // namespace toolwire::json
