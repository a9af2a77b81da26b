// Changes of the text of a JSON document, at the places of its values and nowhere else: all other bytes stay.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace toolwire::bridge {

/// From the whole document to a value in it: names of members and indices of elements.
using JsonPath = std::vector<std::variant<std::string, std::size_t>>;

/// In bytes; `end` is behind it.
struct TextRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Where a value stands in `text`, which must be JSON. Of members of one name it is the last, as for parse_json. Throws
/// std::out_of_range if there is none.
TextRange range_of(std::string_view text, const JsonPath& path);

/// The white space before the first element of the array that stands there, which is also fit for new ones.
std::string_view indentation_in(std::string_view text, TextRange array);

struct TextEdit {
  TextRange range = {};  // what goes; empty: something is put in
  std::string text = {};
};

/// All edits, which must not overlap, in one go. Their ranges are those of `text`; those that put in something at one
/// place do so in their order.
std::string edited(std::string_view text, std::vector<TextEdit> edits);

}  // namespace toolwire::bridge
