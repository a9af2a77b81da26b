// A definition with everything that is computed before its first call. Knows no registry.
#pragma once

#include <string>

#include <toolwire/bridge/tool_registry.hpp>

namespace toolwire::bridge {

/// Throws std::invalid_argument with every problem, one a line, each naming the tool.
ToolPointer registered_tool(ToolDefinition definition, std::string provider, SchemaCare care);

}  // namespace toolwire::bridge
