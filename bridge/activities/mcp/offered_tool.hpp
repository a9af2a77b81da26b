// A tool of a back-end as a tool of this server: its description, and how calls reach it. Independent of which tools
// are offered under which names.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include <toolwire/tool.hpp>

#include "activities/mcp/back_end.hpp"

namespace toolwire::bridge::mcp {

/// What the server said of the tool, its hints and `_meta` kept, texts made fit for terminals. Where `name` is not its
/// own, that is in `_meta["dev.toolwire/name"]`.
ToolInfo tool_info_from(const Json& tool, const std::string& name);

/// Arguments are checked against the pinned schemas, and structured results too. `timeout`: zero for none.
Tool offered_tool(const Json& tool, const std::string& name, std::shared_ptr<BackEnd> back_end,
                  std::chrono::milliseconds timeout);

}  // namespace toolwire::bridge::mcp
