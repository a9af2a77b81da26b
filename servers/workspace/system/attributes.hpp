// What a file has besides its content, mode and times: extended attributes, access control lists, further names.
// Independent of what is written.
#pragma once

#include <cstdint>
#include <string>

#include "workspace/system/place.hpp"

namespace workspace {

/// Gives `to` the attributes of users (user.*) and the access control list of the file at a place. Throws ToolError
/// naming the one that cannot be kept. Those of the system's security modules are theirs to set.
void keep_attributes(const Place& from, int to);

/// How many names the file at a place has besides this one (hard links), wherever they are.
std::uint64_t other_names(const Place& place);

}  // namespace workspace
