#include "protocol/connection.hpp"

namespace toolwire::protocol {

Connection::Connection(Service& served, Transport& transport, runtime::Crew::Steps steps,
                       runtime::Crew::Settings settings)
    : service(served),
      output(transport, served.options.limits, [this] { crew.flush_soon(); }),
      in_flight(output, served.options.limits.calls_in_flight),
      outgoing(served.options.limits.open_questions),
      subscriptions(output, served.options.limits.listens),
      crew(output, std::move(steps), settings),
      legacy_capabilities(std::make_shared<const JsonObject>()) {}

void Connection::tools_changed() {
  // Legacy notifications leave only after notifications/initialized (2025-11-25 basic/lifecycle).
  if (notified_revision.load(std::memory_order_acquire) != nullptr) {
    output.append(std::string_view(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})"));
  }
  subscriptions.tools_changed();
  crew.flush_from_outside();
}

}  // namespace toolwire::protocol
