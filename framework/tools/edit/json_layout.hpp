// How a JSON text is laid out, and how new values are written so that they look like what stands beside them.
#pragma once

#include <string>
#include <string_view>
#include <toolwire/json.hpp>

#include "json_tree.hpp"

namespace toolwire::edit {

/// A plain value.
struct Layout {
  std::string_view line_end = "\n";
  std::string unit = "  ";   ///< One level of indentation.
  std::string colon = ": ";  ///< Between a name and its value.
  std::string comma = ", ";  ///< Between members and elements on one line.
};

/// Read from the members of the outermost object.
Layout layout_of(std::string_view text, const JsonNode& root);

/// What stands before a new member, behind an only one, and how its lines are indented.
struct Separators {
  std::string before, behind, indentation;
};

bool stands_on_one_line(std::string_view text, const JsonNode& node);
/// Whether a new member of `object` goes onto the line of what is there already.
bool new_stands_on_one_line(std::string_view text, const JsonNode& root, const JsonNode& object);

Separators one_line_separators(std::string_view text, const JsonNode& object, const Layout& layout);
Separators line_separators(std::string_view text, const JsonNode& object, const Layout& layout);

/// The blanks at the beginning of the line that holds the byte at `at`.
std::string indentation_at(std::string_view text, std::size_t at);

/// Members on lines of their own, arrays on one; the first line begins where the caller has written to, further ones
/// with `indentation`.
std::string rendered(const Json& value, const Layout& layout, const std::string& indentation);
std::string rendered_on_one_line(const Json& value, const Layout& layout);

}  // namespace toolwire::edit
