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
  bool Revision::*known = nullptr;      // … and in revisions with this trait; null: in all of the era
};

// A method that is not here does not exist in that era (-32601), whichever handlers are linked.
constexpr Method methods[] = {
    {"tools/call", Era::both, call_tool, Feature::tools},
    {"tools/list", Era::both, list_tools, Feature::tools},
    {"resources/read", Era::both, read_resource, Feature::resources},
    {"resources/list", Era::both, list_resources, Feature::resources},
    {"resources/templates/list", Era::both, list_resource_templates, Feature::resources},
    {"resources/subscribe", Era::legacy, subscribe_to_resource, Feature::resource_updates},
    {"resources/unsubscribe", Era::legacy, unsubscribe_from_resource, Feature::resource_updates},
    {"completion/complete", Era::both, complete, Feature::completions},
    {"prompts/get", Era::both, get_prompt, Feature::prompts},
    {"prompts/list", Era::both, list_prompts, Feature::prompts},
    {"logging/setLevel", Era::legacy, set_log_level, Feature::logging},
    {"ping", Era::legacy, ping},
    {"initialize", Era::legacy, initialize},
    {"server/discover", Era::modern, discover},
    {"subscriptions/listen", Era::modern, listen},
    {"tasks/get", Era::both, get_task, Feature::tasks, &Revision::tasks},
    {"tasks/update", Era::modern, update_task, Feature::tasks},
    {"tasks/cancel", Era::both, cancel_task, Feature::tasks, &Revision::tasks},
    {"tasks/result", Era::legacy, task_result, Feature::tasks, &Revision::tasks},
    {"tasks/list", Era::legacy, list_tasks, Feature::tasks, &Revision::tasks},
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
    const bool known = method.known == nullptr || (revision != nullptr && revision->*method.known);
    const bool exists = method.era != other && known && (!method.feature || offered.has(*method.feature));
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
