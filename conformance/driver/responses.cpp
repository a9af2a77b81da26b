// How the driver answers a server that asks.
#include "driver/arguments.hpp"
#include "driver/session.hpp"

namespace toolwire::conformance {

std::optional<Json> default_response(const std::string& method, const Json& params) {
  if (method == "ping") return JsonObject{};
  if (method == "roots/list")
    return JsonObject{{"roots", JsonArray{JsonObject{{"uri", "file:///workspace"}, {"name", "workspace"}}}}};
  if (method == "sampling/createMessage")
    return JsonObject{{"role", "assistant"},
                      {"content", JsonObject{{"type", "text"}, {"text", "A reply of the model"}}},
                      {"model", "conformance-model"},
                      {"stopReason", "endTurn"}};
  if (method != "elicitation/create") return std::nullopt;
  if (text_of(get(params, "mode")) == "url") return JsonObject{{"action", "accept"}};
  return JsonObject{{"action", "accept"},
                    {"content", arguments_for(get(params, "requestedSchema")).value_or(JsonObject{})}};
}

}  // namespace toolwire::conformance
