// The text of a tool in a list, with what a revision knows of it (specification: server/tools, Tool).
#pragma once

#include <string>

#include "protocol/revision.hpp"
#include "toolwire/tool.hpp"

namespace toolwire::protocol {

void append_tool(std::string& out, const Revision& revision, const ToolInfo& info);

}  // namespace toolwire::protocol
