// logging/setLevel (2025-11-25 server/utilities/logging): the level from which this client wants messages. Removed in
// 2026-07-28, where each request names its level.
#include "protocol/handlers.hpp"
#include "toolwire/detail/log_level.hpp"

namespace toolwire::protocol {

void set_log_level(Exchange&& exchange) {
  const Json* name = exchange.arguments().if_contains("level");
  auto level =
      log_level_named(name != nullptr && name->is_string() ? std::string_view(name->get_string()) : std::string_view());
  if (!level) {
    throw ProtocolError(
        error_code::invalid_params,
        "Invalid params: \"level\" must be one of debug, info, notice, warning, error, critical, alert, "
        "emergency");
  }
  exchange.connection->log_level.store(static_cast<unsigned char>(*level), std::memory_order_relaxed);
  exchange.complete([](std::string&) {});
}

}  // namespace toolwire::protocol
