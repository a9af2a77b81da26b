// One tool of an MCP server as a manifest has it. Takes a value, returns a value.
#pragma once

#include <toolwire/json.hpp>

#include "manifest/tool_name.hpp"

namespace toolwire::bridge {

/// The native tool of one that tools/list lists. What a bridge has added for MCP is taken away again (`_meta`:
/// "dev.toolwire/added" names it).
Json native_tool(const JsonObject& listed, NameMapping& names);

}  // namespace toolwire::bridge
