// subscriptions/listen: its beginning, and its end when the session ends.
#include "protocol/handlers.hpp"
#include "protocol/methods.hpp"
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

void close_subscriptions(Connection& connection) {
  for (const auto& call : connection.subscriptions.take_all()) {
    call->answer([&](std::string& out) {
      out.append(R"({"resultType":"complete",)").append(connection.service.result_meta_text()).append(",\"");
      out.append(meta_key::subscription_id).append("\":").append(call->id().text).append("}}");
    });
  }
}

}  // namespace toolwire::protocol
