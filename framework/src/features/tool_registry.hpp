// The tools of a server. Independent of calls in progress, revisions and the wire.
#pragma once

#include "features/registry.hpp"
#include "features/served_tool.hpp"

namespace toolwire::features {

extern template class Registry<ServedTool>;
using ToolRegistry = Registry<ServedTool>;

}  // namespace toolwire::features
