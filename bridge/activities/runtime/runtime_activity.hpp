// A tool of a runtime as an Activity: kind "runtime".
#pragma once

#include <memory>
#include <string>

#include <toolwire/bridge/activity.hpp>

#include "activities/runtime/pool.hpp"

namespace toolwire::bridge::runtimes {

/// Shares the pool with all other tools that run there.
ActivityPointer make_runtime_activity(std::shared_ptr<RuntimePool> pool, std::string tool);

/// A call's answer as a result: `output` as text or `structured` as it is, `metadata` and `diagnostics` in
/// `_meta["dev.toolwire/details"]`.
ToolResult tool_result_from(RuntimeAnswer&& answer);

}  // namespace toolwire::bridge::runtimes
