// tools/call (specification: server/tools, calling): from the reading thread to the crew.
#include "protocol/busy.hpp"
#include "protocol/handlers.hpp"
#include "protocol/tools/lower.hpp"
#include "protocol/tools/tool_call.hpp"

namespace toolwire::protocol {
namespace {

/// Holds on to what must outlive a ToolCall that could not be made.
void run_on_this_thread(Exchange&& exchange) {
  auto connection = exchange.connection;
  auto call = exchange.call;
  try {
    std::make_shared<ToolCall>(std::move(exchange))->run();
  } catch (const ProtocolError& error) {
    call->fail(error.code, error.what(), error.data.is_null() ? std::string() : to_json_text(error.data));
  }
}

}  // namespace

void call_tool(Exchange&& exchange) {
  Connection& connection = *exchange.connection;
  std::size_t bytes = exchange.bytes;
  if (connection.crew.queued_bytes() + bytes > connection.service.options.limits.queued_bytes)
    return refuse_busy(exchange);
  auto call = exchange.call;
  auto work = [exchange = std::move(exchange)]() mutable { run_on_this_thread(std::move(exchange)); };
  connection.crew.enqueue(std::move(call), std::move(work), bytes);
}

void refuse_busy(const Exchange& exchange) {
  constexpr std::int64_t retry_after_ms = 100;
  ToolResult result =
      failure("busy", "The server has as many calls in hand as it takes; try again shortly", true, retry_after_ms);
  exchange.call->answer([&](std::string& out) { append_complete_tool_result(out, exchange, result); });
}

}  // namespace toolwire::protocol
