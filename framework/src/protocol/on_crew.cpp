#include "protocol/on_crew.hpp"

#include <utility>

namespace toolwire::protocol {
namespace {

/// Holds on to what must outlive a request that could not be made of the exchange.
void contained(Exchange&& exchange, void (*work)(Exchange&&)) {
  auto connection = exchange.connection;
  auto call = exchange.call;
  try {
    work(std::move(exchange));
  } catch (const ProtocolError& error) {
    fail(*call, error);
  }
}

}  // namespace

bool run_on_crew(Exchange& exchange, void (*work)(Exchange&&)) {
  Connection& connection = *exchange.connection;
  const std::size_t bytes = exchange.bytes;
  if (connection.crew.queued_bytes() + bytes > connection.service.options.limits.queued_bytes) return false;
  auto call = exchange.call;
  connection.crew.enqueue(
      std::move(call), [exchange = std::move(exchange), work]() mutable { contained(std::move(exchange), work); },
      bytes);
  return true;
}

void throw_busy() {
  throw ProtocolError(error_code::internal_error, "Internal error: too many requests are unanswered; try again shortly",
                      JsonObject{{"code", "busy"}, {"retryable", true}, {"retryAfterMs", 100}});
}

}  // namespace toolwire::protocol
