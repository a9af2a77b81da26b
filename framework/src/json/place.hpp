// Where in a text a byte stands, for error messages: the path to it and what JSON allows there.
// Used only once a text was refused, so the parser itself keeps no path.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace toolwire::json {

/// What JSON expects at a place.
enum class Expected { value, value_or_end, name, name_or_end, colon, comma_or_end, string_content, nothing };

struct Place {
  std::string path;  ///< "params.items[3]"; empty for the outermost value. Long paths are cut in the middle.
  Expected expected = Expected::value;
  bool in_array = false;  ///< Whether the innermost open bracket is `[`.
};

/// The place of the byte at `offset`. The text before it must be JSON as far as it goes. Linear in `offset`.
Place place_at(std::string_view text, std::size_t offset);

/// "expected ',' or '}', found ']'" for the byte at `offset`.
std::string expectation(std::string_view text, std::size_t offset, const Place& place);

/// "at byte 12 (params.x): " or, at the outermost value, "at byte 12: ".
std::string location(std::size_t offset, const std::string& path);

}  // namespace toolwire::json
