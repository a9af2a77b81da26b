// The beginning of subscriptions/listen.
#include "protocol/handlers.hpp"
#include "protocol/subscriptions/filter.hpp"

namespace toolwire::protocol {

void listen(Exchange&& exchange) {
  // Its answer comes at the end of the session, so the others of a batch would have to wait for it.
  if (exchange.in_batch) {
    throw ProtocolError(error_code::invalid_request, "Invalid Request: subscriptions/listen must not be in a batch");
  }
  Connection& connection = *exchange.connection;
  connection.subscriptions.open(exchange.call, filter_in(exchange));
  connection.in_flight.settle(*exchange.call);
}

}  // namespace toolwire::protocol
