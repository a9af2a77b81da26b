// How long one call of a tool may take in all.
#pragma once

#include <chrono>

#include <toolwire/bridge/definition.hpp>
#include <toolwire/result.hpp>

namespace toolwire::bridge {

/// `timeout_seconds`; where `async_behavior` has the call wait for an operation, that is the time of the first answer,
/// and the operation's `max_poll_duration_seconds` come on top. Zero: no limit.
std::chrono::seconds call_time(const ToolMetadata& metadata);

/// How a call ends that has taken longer.
ToolResult timed_out(const ToolDefinition& tool);

}  // namespace toolwire::bridge
