// Puts one table into a TOML text, or takes it out, and leaves every other byte as it is. Independent of files and of
// what the table means.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <toolwire/json.hpp>

#include "toml_tree.hpp"

namespace toolwire::edit {

/// The value at the path ({"mcp_servers"}, or {"mcp_servers", "notes"}), or nothing. Throws Malformed, also if
/// something on the way is no table.
std::optional<Json> toml_member(std::string_view text, const TomlKeys& path);

/// The text with this table at the path of two keys, in place of what stands there: as a table with a header at the end
/// of the text, or in the inline table where the others stand. `value` has no null. Throws as `toml_member`.
std::string with_toml_table(std::string_view text, const TomlKeys& path, const JsonObject& value);

/// The text without what stands at the path, however it is written; the same text if there is nothing. Undoes
/// `with_toml_table`, except that an inline table that has become empty stays, as {}. Throws as `toml_member`.
std::string without_toml_table(std::string_view text, const TomlKeys& path);

}  // namespace toolwire::edit
