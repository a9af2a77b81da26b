// Turns a tool that only starts an operation into one that answers when the operation is done: it polls the status,
// reports progress, and cancels the operation when the call is cancelled.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include <toolwire/bridge/activity.hpp>

#include "manifest/async_behavior.hpp"
#include "system/timers.hpp"

namespace toolwire::bridge {

/// Calls another tool of the same registry: the status tool or the cancel tool. Returns soon and calls `done` once,
/// from any thread.
using RunTool = std::function<void(const std::string& tool, Json parameters, std::stop_token stop,
                                   std::function<void(ToolResult)> done)>;

/// `inner`, followed to the end of the operation it starts. No thread is held between two status calls. The call ends
/// with the result (`result_field`, else the last status), with the operation's failure, or, after
/// `max_poll_duration_seconds`, with "timeout". A status call that fails is repeated; five in a row end the call. An
/// answer of `inner` that names no operation is the result itself: the work was done at once. `first_answer` bounds the
/// time of `inner` alone; zero: unbounded. `timers` and what `run_tool` uses must outlive the Activity's calls.
ActivityPointer polling(ActivityPointer inner, AsyncBehavior behavior, RunTool run_tool, Timers& timers,
                        std::chrono::milliseconds first_answer = {});

}  // namespace toolwire::bridge
