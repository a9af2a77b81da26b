// notifications/cancelled from the client (all revisions, cancellation): nothing is sent for the request afterwards.
#include "protocol/handlers.hpp"

namespace toolwire::protocol {

void cancelled(Connection& connection, const JsonObject& params) {
  const Json* id = params.if_contains("requestId");
  auto key = id != nullptr ? jsonrpc::key_of(*id) : std::nullopt;
  if (key && connection.in_flight.cancel(*key)) connection.channel->job_over();
}

}  // namespace toolwire::protocol
