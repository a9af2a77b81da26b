#include "remote/missed_changes.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <toolwire/json_members.hpp>

namespace toolwire::remote {
namespace {

constexpr const char* const lists[] = {"tools", "resources", "prompts"};

std::string notification(const std::string& method, JsonObject params) {
  JsonObject message{{"jsonrpc", "2.0"}, {"method", method}};
  if (!params.empty()) message["params"] = std::move(params);
  return to_json_text(message);
}

JsonObject of_subscription(const Json& id) {
  return {{"_meta", JsonObject{{"io.modelcontextprotocol/subscriptionId", id}}}};
}

std::string list_changed(const std::string& list) { return "notifications/" + list + "/list_changed"; }

}  // namespace

std::vector<std::string> missed_changes(const Json& filter, const Json& subscription) {
  std::vector<std::string> lines;
  for (const std::string list : lists) {
    if (bool_member(filter, list + "ListChanged").value_or(false))
      lines.push_back(notification(list_changed(list), of_subscription(subscription)));
  }
  const JsonArray* const uris = array_member(filter, "resourceSubscriptions");
  for (const Json& uri : uris == nullptr ? JsonArray() : *uris) {
    JsonObject params = of_subscription(subscription);
    params["uri"] = uri;
    lines.push_back(notification("notifications/resources/updated", std::move(params)));
  }
  return lines;
}

std::vector<std::string> missed_list_changes() {
  std::vector<std::string> lines;
  for (const std::string list : lists) lines.push_back(notification(list_changed(list), {}));
  return lines;
}

std::chrono::milliseconds wait_before(unsigned tries, std::optional<std::chrono::milliseconds> wished) {
  constexpr std::chrono::milliseconds longest{30'000};
  constexpr unsigned doublings = 6;
  constexpr unsigned as_wished = 5;
  if (wished && tries <= as_wished) return *wished;
  const unsigned steps = wished ? tries - as_wished : tries;
  return std::max(wished.value_or(std::chrono::milliseconds(0)),
                  std::min(longest, std::chrono::milliseconds(500) * (1U << std::min(steps, doublings))));
}

}  // namespace toolwire::remote
