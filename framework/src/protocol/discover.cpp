// server/discover (2026-07-28 server/discover): what `initialize` tells in earlier revisions, without a session.
#include "protocol/caching.hpp"
#include "protocol/capabilities.hpp"
#include "protocol/handlers.hpp"

namespace toolwire::protocol {

void discover(Exchange&& exchange) {
  const Service& service = exchange.connection->service;
  exchange.complete([&](std::string& out) {
    out.append("\"supportedVersions\":").append(to_json_text(modern_names()));
    out.append(",\"capabilities\":").append(server_capabilities(*exchange.revision, service.offered()));
    append_instructions(out, service);
    append_list_caching(out, service);
  });
}

}  // namespace toolwire::protocol
