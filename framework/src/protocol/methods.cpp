#include "protocol/methods.hpp"

#include <optional>

#include "protocol/handlers.hpp"

namespace toolwire::protocol {
namespace {

enum class Era { legacy, modern, both };

struct Method {
  std::string_view name;
  Era era;
  MethodHandler handle;
  std::optional<Feature> feature = {};  // the method exists only on servers that offer it
};

// A method that is not here does not exist in that era (-32601), whatever handler is linked in.
constexpr Method methods[] = {
    {"tools/call", Era::both, call_tool, Feature::tools},
    {"tools/list", Era::both, list_tools, Feature::tools},
    {"ping", Era::legacy, ping},
    {"initialize", Era::legacy, initialize},
    {"server/discover", Era::modern, discover},
    {"subscriptions/listen", Era::modern, listen},
};

struct NotificationEntry {
  std::string_view name;
  void (*act)(Connection&, const JsonObject&);
};

constexpr NotificationEntry notifications[] = {
    {"notifications/cancelled", cancelled},
    {"notifications/initialized", initialized},
};

}  // namespace

MethodHandler find_method(std::string_view name, const Revision* revision, Features offered) {
  const Era other = revision != nullptr && revision->modern ? Era::legacy : Era::modern;
  for (const Method& method : methods) {
    if (method.name != name) continue;
    const bool exists = method.era != other && (!method.feature || offered.has(*method.feature));
    return exists ? method.handle : nullptr;
  }
  return nullptr;
}

void on_notification(Connection& connection, std::string_view name, const JsonObject& params) {
  for (const NotificationEntry& entry : notifications) {
    if (entry.name == name) return entry.act(connection, params);
  }
}

}  // namespace toolwire::protocol
