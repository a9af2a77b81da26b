// What is passed unchanged between a host and a process behind the bridge: a whole tool result, and `_meta`. Takes
// values, returns values.
#pragma once

#include <toolwire/json.hpp>
#include <toolwire/result.hpp>

namespace toolwire::bridge {

/// A complete result of tools/call: content blocks, structured content and `_meta` as they came; members of `_meta`
/// that belong to the connection with the process are left out. An error if it is no object.
ToolResult tool_result_from(Json&& raw);

/// The members of a request's `_meta` that do not belong to its connection: vendor keys and trace context.
JsonObject passable_meta(const JsonObject& meta);

}  // namespace toolwire::bridge
