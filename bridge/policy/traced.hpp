// Makes a call of a tool's Activity a span of its own, within that of the request. For what is not an MCP server: what
// is sent to these, also when no tool is called, is followed where it is sent.
#pragma once

#include <memory>

#include <toolwire/bridge/activity.hpp>

#include "traces/traces.hpp"

namespace toolwire::bridge {

/// Around an attempt: a call that is tried again has a span for each.
ActivityPointer traced(ActivityPointer inner, std::shared_ptr<const traces::Traces> traces);

}  // namespace toolwire::bridge
