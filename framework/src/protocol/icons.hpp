// Icons as the wire has them (specification: basic, icons).
#pragma once

#include <vector>

#include "toolwire/tool.hpp"

namespace toolwire::protocol {

JsonArray icons_as_json(const std::vector<Icon>& icons);

}  // namespace toolwire::protocol
