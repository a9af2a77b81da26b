// The same text for equal JSON values, independent of the order of their members.
#pragma once

#include <string>

#include <toolwire/json.hpp>

namespace toolwire::bridge {

/// Compact text with the members of every object in the order of their names' bytes.
std::string canonical_text(const Json& value);

}  // namespace toolwire::bridge
