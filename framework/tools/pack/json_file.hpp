// JSON for files that people read.
#pragma once

#include <string>
#include <toolwire/json.hpp>

namespace toolwire::pack {

/// Members, and elements that have members of their own, on lines of their own; a line feed at the end.
std::string json_file(const Json& value);

}  // namespace toolwire::pack
