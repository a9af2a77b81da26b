// tools/call (specification: server/tools, calling): from the reading thread to the engine.
#include <utility>

#include "protocol/busy.hpp"
#include "protocol/handlers.hpp"
#include "protocol/request_for.hpp"
#include "protocol/tasks/call_as_task.hpp"
#include "protocol/tools/lower.hpp"
#include "protocol/tools/tool_call.hpp"
#include "protocol/traced.hpp"

namespace toolwire::protocol {
namespace {

/// Where tools do not all run side by side, the place of a call is taken in the order in which calls are read.
bool begin_call(Exchange& exchange) {
  if (!exchange.connection->service.serial_lines.any()) return begin_request<ToolCall>(exchange);
  auto tool = tool_named_in(exchange);
  return begin_request<ToolCall>(exchange, [&tool](RequestFor<ToolCall>& request) {
    if (tool && tool->line) request.stand_in(tool->line);
    request.kind().has_found(std::move(tool));
  });
}

}  // namespace

void call_tool(Exchange&& exchange) {
  const bool tasks = exchange.revision->tasks && exchange.connection->service.offered().has(Feature::tasks);
  if (tasks && call_as_task(exchange)) return;
  if (!begin_call(exchange)) refuse_busy(exchange);
}

void refuse_busy(const Exchange& exchange) {
  constexpr std::int64_t retry_after_ms = 100;
  ToolResult result =
      failure("busy", "The server has as many calls in hand as it takes; try again shortly", true, retry_after_ms);
  exchange.call->answer([&](std::string& out) { append_complete_tool_result(out, exchange, result); },
                        end_with(result));
}

}  // namespace toolwire::protocol
