// Puts one member into a JSON text, or takes it out, and leaves every other byte as it is: comments, order, blanks,
// line ends. Independent of files and of what the member means.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <toolwire/json.hpp>
#include <vector>

#include "json_tree.hpp"

namespace toolwire::edit {

/// The names that lead from the outermost object to a member: {"mcpServers", "notes"}.
using MemberPath = std::vector<std::string>;

/// The value at the path, or nothing. A text of nothing but blanks and comments has none. Throws Malformed, also if
/// something on the way is no object or a name on the way stands there twice.
std::optional<Json> json_member(std::string_view text, Comments comments, const MemberPath& path);

/// The text with this value at the path, in place of what stands there; objects on the way are made. What is new is
/// written as what stands beside it: on lines of its own or not, with its indentation. Throws as `json_member`.
std::string with_json_member(std::string_view text, Comments comments, const MemberPath& path, const Json& value);

/// The text without the member at the path; the same text if there is none. Undoes `with_json_member`, except that an
/// object that has become empty stays, as {}. Throws as `json_member`.
std::string without_json_member(std::string_view text, Comments comments, const MemberPath& path);

}  // namespace toolwire::edit
