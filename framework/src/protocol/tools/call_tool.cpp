// tools/call (specification: server/tools, calling): from the reading thread to the engine.
#include "protocol/busy.hpp"
#include "protocol/handlers.hpp"
#include "protocol/request_for.hpp"
#include "protocol/tasks/call_as_task.hpp"
#include "protocol/tools/lower.hpp"
#include "protocol/tools/tool_call.hpp"

namespace toolwire::protocol {
void call_tool(Exchange&& exchange) {
  const bool tasks = exchange.revision->tasks && exchange.connection->service.offered().has(Feature::tasks);
  if (tasks && call_as_task(exchange)) return;
  if (!begin_request<ToolCall>(exchange)) refuse_busy(exchange);
}

void refuse_busy(const Exchange& exchange) {
  constexpr std::int64_t retry_after_ms = 100;
  ToolResult result =
      failure("busy", "The server has as many calls in hand as it takes; try again shortly", true, retry_after_ms);
  exchange.call->answer([&](std::string& out) { append_complete_tool_result(out, exchange, result); });
}

}  // namespace toolwire::protocol
