// A TOML text (version 1.0 or 1.1) as its statements and where they stand, and as the value that it means. Independent
// of what is to be changed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <toolwire/json.hpp>
#include <vector>

#include "malformed.hpp"

namespace toolwire::edit {

using TomlKeys = std::vector<std::string>;

struct TomlMember;

/// A value and its place. Dates, times, inf and nan are texts in `value`.
struct TomlValue {
  std::size_t begin = 0, end = 0;
  Json value = {};
  bool is_inline_table = false;
  std::vector<TomlMember> members;  ///< Of an inline table.
};

/// One `keys = value` of an inline table.
struct TomlMember {
  static constexpr std::size_t no_comma = static_cast<std::size_t>(-1);

  TomlKeys keys = {};
  std::size_t begin = 0;
  std::size_t comma = no_comma;  ///< The comma behind it.
  TomlValue value = {};
};

/// One statement with the lines it stands on.
struct TomlStatement {
  enum class Kind { table, array_of_tables, key_value };
  Kind kind = Kind::key_value;
  TomlKeys path = {};              ///< From the outermost table on; of a key, with the table it stands in.
  std::size_t begin = 0, end = 0;  ///< Whole lines, the last with its line end if it has one.
  TomlValue value = {};            ///< Of a key.
};

struct TomlTree {
  std::vector<TomlStatement> statements = {};
  Json value = {};
};

/// Reads a whole text; a byte order mark may stand before it. Throws Malformed, also for what is defined twice.
TomlTree read_toml_tree(std::string_view text);

}  // namespace toolwire::edit
