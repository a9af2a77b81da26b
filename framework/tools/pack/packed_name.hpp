// Where names in archives may lead.
#pragma once

#include <string_view>

namespace toolwire::pack {

/// Throws std::runtime_error if a file of that name would stand outside of the folder an archive is unpacked into, or
/// is no file: an empty name, an absolute one, "..", a slash at the end.
void require_inner_name(std::string_view name);

}  // namespace toolwire::pack
