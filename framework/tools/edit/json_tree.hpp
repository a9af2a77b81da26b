// A JSON text, with or without comments, as a tree that knows where in the text everything stands. Independent of what
// is to be changed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <toolwire/json.hpp>
#include <vector>

#include "malformed.hpp"

namespace toolwire::edit {

/// Whether comments are part of the format, and with them a comma behind the last member or element (JSONC) or not.
enum class Comments { refused, allowed, allowed_without_last_comma };

struct JsonMember;

/// A value and its place; the rest of its text is in the text it was read from.
struct JsonNode {
  enum class Kind { object, array, scalar };
  Kind kind = Kind::scalar;
  std::size_t begin = 0, end = 0;  ///< With its brackets or quotes.
  std::vector<JsonMember> members;
  std::vector<JsonNode> elements;

  /// The member of that name; the last one if there are several, null if there is none.
  [[nodiscard]] const JsonMember* find(std::string_view name) const;
};

struct JsonMember {
  static constexpr std::size_t no_comma = static_cast<std::size_t>(-1);

  std::string name = {};
  std::size_t begin = 0;         ///< Of the quotes of its name.
  std::size_t comma = no_comma;  ///< The comma behind it.
  JsonNode value = {};
};

/// Skips blanks, line ends and, where they are allowed, comments from `at` on. Throws Malformed for a comment that is
/// refused or does not end.
std::size_t skip_blanks(std::string_view text, std::size_t at, Comments comments);

/// Reads a whole text; a byte order mark may stand before it. Throws Malformed.
JsonNode read_json_tree(std::string_view text, Comments comments);

/// The value of a node of this text. Throws Malformed for a number that no double can hold.
Json value_of(std::string_view text, const JsonNode& node);

}  // namespace toolwire::edit
