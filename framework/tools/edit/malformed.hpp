// What is wrong with a configuration file, and where: by line and column, as editors count. Independent of formats.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <toolwire/json.hpp>
#include <vector>

namespace toolwire::edit {

/// Counted from 1; a column is a character of UTF-8.
struct TextPlace {
  std::size_t line = 1;
  std::size_t column = 1;
};

TextPlace place_in(std::string_view text, std::size_t offset);

/// A text that is not what its format asks for, or holds something else than a table where servers are to stand.
/// `what()`: "line 3, column 7: expected a comma or }".
struct Malformed : std::runtime_error {
  Malformed(std::string_view text, std::size_t offset, const std::string& message);
  TextPlace place;
};

/// Throws Malformed at the first byte that is not UTF-8.
void require_utf8(std::string_view text);

/// Throws std::runtime_error naming the first text of an entry, or of the path to it, that no file can hold, for it is
/// not UTF-8.
void require_utf8(const std::vector<std::string>& path, const Json& entry);

/// The byte order mark that a text may begin with: its length, or 0.
std::size_t byte_order_mark(std::string_view text);

/// How the text ends its lines: as the first of them does; "\n" if there is none.
std::string_view line_end_of(std::string_view text);

}  // namespace toolwire::edit
