// What is passed unchanged between a host and a process behind the bridge: a whole tool result, and `_meta`. Takes
// values, returns values.
#pragma once

#include <string_view>

#include <toolwire/json.hpp>
#include <toolwire/result.hpp>

namespace toolwire::bridge {

/// Who has sent something, as errors name it: with its name in quotes, unless that is empty.
struct Sender {
  std::string_view what = "The back-end";
  std::string_view name = {};
};

/// A complete result of tools/call: structured content, `_meta` and content blocks as they came, but for texts, in
/// which what cannot be seen stands as escapes unless they are the structured content as JSON; members of `_meta` that
/// belong to the connection with the process are left out. An error naming `sender` if it is no object, or if a block
/// is malformed or of an unknown type, which many hosts answer by dropping the whole result, or if `isError` says
/// neither true nor false, because then nobody knows whether it has failed; null says nothing.
ToolResult tool_result_from(Json&& raw, const Sender& sender = {});

/// The members of a request's `_meta` that do not belong to its connection: vendor keys and trace context.
JsonObject passable_meta(const JsonObject& meta);

}  // namespace toolwire::bridge
