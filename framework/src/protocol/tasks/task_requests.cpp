#include "protocol/tasks/task_requests.hpp"

namespace toolwire::protocol {

bool declares_tasks(const Exchange& exchange) {
  if (!exchange.revision->modern) return false;
  const Json* extensions = exchange.client_capabilities().if_contains("extensions");
  const JsonObject* declared = extensions != nullptr ? extensions->if_object() : nullptr;
  const Json* tasks = declared != nullptr ? declared->if_contains(tasks_extension) : nullptr;
  return tasks != nullptr && tasks->is_object();
}

void throw_tasks_required() {
  throw ProtocolError(
      error_code::missing_client_capability,
      "Missing required client capability: declare the extension io.modelcontextprotocol/tasks with this request",
      JsonObject{{"requiredCapabilities", JsonObject{{"extensions", JsonObject{{tasks_extension, JsonObject{}}}}}}});
}

void require_tasks(const Exchange& exchange) {
  if (exchange.revision->modern && !declares_tasks(exchange)) throw_tasks_required();
}

bool can_watch_task(const Exchange& exchange, std::string_view) {
  require_tasks(exchange);
  return true;
}

}  // namespace toolwire::protocol
