// tools/call (specification: server/tools, calling): from the reading thread to the crew.
#include "json/fast.hpp"
#include "protocol/busy.hpp"
#include "protocol/handlers.hpp"
#include "protocol/on_crew.hpp"
#include "protocol/tasks/call_as_task.hpp"
#include "protocol/tools/lower.hpp"
#include "protocol/tools/tool_call.hpp"

namespace toolwire::protocol {
void call_tool(Exchange&& exchange) {
  const bool tasks = exchange.revision->tasks && exchange.connection->service.offered().has(Feature::tasks);
  if (tasks && call_as_task(exchange)) return;
  if (!crew_has_room(exchange)) return refuse_busy(exchange);
  runtime::Crew& crew = exchange.connection->crew;
  const std::size_t bytes = exchange.bytes;
  crew.enqueue(std::allocate_shared<ToolCall>(json::Recycled<ToolCall>(), std::move(exchange)), bytes);
}

void refuse_busy(const Exchange& exchange) {
  constexpr std::int64_t retry_after_ms = 100;
  ToolResult result =
      failure("busy", "The server has as many calls in hand as it takes; try again shortly", true, retry_after_ms);
  exchange.call->answer([&](std::string& out) { append_complete_tool_result(out, exchange, result); });
}

}  // namespace toolwire::protocol
