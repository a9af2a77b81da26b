// Documents that a model filled: `{calls: [{_tool, _activity, …}]}`. Runs no calls.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "registry/call_core.hpp"

namespace toolwire::bridge {

/// One element of `calls`: a Call that may be started, or why not.
struct DocumentCall {
  Json written = {};  // as the model wrote it
  Call call = {};
  std::optional<ToolResult> refused = {};
};

/// Throws std::invalid_argument if it is not such a document: the calls themselves may be wrong in any way.
std::vector<DocumentCall> calls_in(const CallCore& core, const Json& document);

}  // namespace toolwire::bridge
