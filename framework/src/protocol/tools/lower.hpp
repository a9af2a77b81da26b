// The result of a tool as members of a wire result, with what a revision knows. Takes values, returns text; no threads,
// no state.
#pragma once

#include <string>

#include "protocol/exchange.hpp"
#include "protocol/revision.hpp"
#include "toolwire/result.hpp"

namespace toolwire::protocol {

/// Appends `"content":[…]` and, if the revision has them, structuredContent, isError and others; not the braces, not
/// `_meta`. Content a revision does not know becomes a text that says what it was (specification: server/tools, tool
/// result).
void append_tool_result(std::string& out, const Revision& revision, const ToolResult& result);

/// Appends the whole result object, with resultType and `_meta` as the exchange's revision has them.
void append_complete_tool_result(std::string& out, const Exchange& exchange, const ToolResult& result);

}  // namespace toolwire::protocol
