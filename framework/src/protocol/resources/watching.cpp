// resources/subscribe and resources/unsubscribe (2025-11-25 server/resources, subscriptions); 2026-07-28 has
// subscriptions/listen instead.
#include "protocol/resources/watching.hpp"

#include "features/percent.hpp"
#include "protocol/asker.hpp"
#include "protocol/handlers.hpp"
#include "protocol/resources/read_result.hpp"
#include "protocol/scopes.hpp"

namespace toolwire::protocol {

bool can_watch_resource(const Exchange& exchange, std::string_view uri) {
  const Service& service = exchange.connection->service;
  if (uri.size() > service.options.limits.uri || !features::is_usable_uri(uri)) return false;
  const auto found = find_visible(std::string(uri), exchange);
  if (!found || !found->subscribable()) return false;
  require_scopes(found->scopes(), exchange);
  return true;
}

void subscribe_to_resource(Exchange&& exchange) {
  const std::string uri = uri_in(exchange);
  Connection& connection = *exchange.connection;
  const auto found = find_visible(uri, exchange);
  if (!found) throw not_found(*exchange.revision, uri, "Resource not found");
  require_scopes(found->scopes(), exchange);
  if (!found->subscribable()) {
    throw ProtocolError(error_code::invalid_params, "Invalid params: this resource does not tell when it changes",
                        JsonObject{{"uri", uri}});
  }
  if (!connection.watches.add(uri)) {
    throw ProtocolError(error_code::internal_error,
                        "Internal error: at most " +
                            std::to_string(connection.service.options.limits.watched_resources) +
                            " resources may be subscribed to");
  }
  exchange.complete([](std::string&) {});
}

void unsubscribe_from_resource(Exchange&& exchange) {
  exchange.connection->watches.remove(uri_in(exchange));
  exchange.complete([](std::string&) {});
}

}  // namespace toolwire::protocol
