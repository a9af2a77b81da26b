// Writing a manifest: the document it was read from, with the fields that were changed since in their places.
#include <toolwire/bridge/manifest.hpp>

#include "manifest/indented_json.hpp"
#include "manifest/read_tool.hpp"

namespace toolwire::bridge {
namespace {

Json to_value(const std::vector<std::string>& texts) {
  JsonArray list;
  for (const std::string& text : texts) list.emplace_back(text);
  return list;
}

Json to_value(const Json& value) { return value; }
Json to_value(const std::string& text) { return Json(text); }
Json to_value(bool flag) { return Json(flag); }
Json to_value(std::int64_t number) { return Json(number); }

bool is_absent(const std::vector<std::string>& list) { return list.empty(); }
bool is_absent(const Json& value) { return value.is_null(); }
bool is_absent(const std::string& text) { return text.empty(); }
template <class T>
bool is_absent(const std::optional<T>& value) {
  return !value;
}

/// A member that is always there.
template <class T>
void put(JsonObject& object, std::string_view name, const T& now, const T& was) {
  if (!object.contains(name) || now != was) object[name] = to_value(now);
}

/// A member that is left out when there is nothing to say.
template <class T>
void put_stated(JsonObject& object, std::string_view name, const T& now, const T& was) {
  if (now == was) return;
  if (is_absent(now)) {
    object.stable_erase(name);
  } else if constexpr (requires { *now; }) {
    object[name] = to_value(*now);
  } else {
    object[name] = to_value(now);
  }
}

JsonObject object_at(const JsonObject& parent, std::string_view name) {
  const Json* value = parent.if_contains(name);
  return value != nullptr && value->is_object() ? value->get_object() : JsonObject{};
}

JsonObject object_or_empty(const Json& value) { return value.is_object() ? value.get_object() : JsonObject{}; }

void put_metadata(JsonObject& native, const ToolMetadata& now, const ToolMetadata& was) {
  JsonObject object = object_at(native, "metadata");
  put(object, "enabled_by_default", now.enabled_by_default, was.enabled_by_default);
  put(object, "requires_approval", now.requires_approval, was.requires_approval);
  put_stated(object, "timeout_seconds", now.timeout_seconds, was.timeout_seconds);
  put_stated(object, "rate_limit_per_minute", now.rate_limit_per_minute, was.rate_limit_per_minute);
  put_stated(object, "cost_estimate", now.cost_estimate, was.cost_estimate);
  put_stated(object, "long_running", now.long_running, was.long_running);
  put_stated(object, "idempotent", now.idempotent, was.idempotent);
  put_stated(object, "modifies_state", now.modifies_state, was.modifies_state);
  put_stated(object, "sensitive_output", now.sensitive_output, was.sensitive_output);
  put_stated(object, "tags", now.tags, was.tags);
  put_stated(object, "examples", now.examples, was.examples);
  put_stated(object, "async_behavior", now.async_behavior, was.async_behavior);
  native["metadata"] = std::move(object);
}

JsonObject scenario_of(const Scenario& scenario, JsonObject object) {
  object["name"] = scenario.name;
  object["version"] = scenario.version;
  object["description"] = scenario.description;
  if (!scenario.base_url.empty()) {
    object["base_url"] = scenario.base_url;
  } else if (const Json* was = object.if_contains("base_url"); was != nullptr && !was->is_null()) {
    object.stable_erase("base_url");
  }
  return object;
}

void put_text(JsonObject& object, std::string_view name, const std::string& text) {
  const Json* was = object.if_contains(name);
  if (!text.empty()) {
    object[name] = text;
  } else if (was != nullptr && was->is_string() && !was->get_string().empty()) {
    object.stable_erase(name);
  }
}

JsonObject category_of(const ToolCategory& category, JsonObject object) {
  object["id"] = category.id;
  object["name"] = category.name;
  put_text(object, "description", category.description);
  put_text(object, "icon", category.icon);
  return object;
}

/// The part of the document that describes the category, for members the bridge does not know.
JsonObject category_part(const JsonObject& document, const ToolCategory& category) {
  const Json* list = document.if_contains("categories");
  if (list == nullptr || !list->is_array()) return {};
  for (const Json& part : list->get_array()) {
    const JsonObject* object = part.if_object();
    const Json* id = object == nullptr ? nullptr : object->if_contains("id");
    if (id != nullptr && *id == Json(category.id)) return *object;
  }
  return {};
}

void put_categories(JsonObject& document, const std::vector<ToolCategory>& categories) {
  if (categories.empty()) {
    Json* list = document.if_contains("categories");
    if (list != nullptr && list->is_array()) *list = JsonArray{};
    return;
  }
  JsonArray list;
  for (const ToolCategory& category : categories) {
    list.push_back(category_of(category, category_part(document, category)));
  }
  document["categories"] = std::move(list);
}

}  // namespace

Json to_json(const ToolDefinition& tool) {
  const ToolDefinition was = tool.native.is_object() ? reread_tool(tool.native) : ToolDefinition{};
  JsonObject native = object_or_empty(tool.native);
  put(native, "name", tool.name, was.name);
  put_stated(native, "title", tool.title, was.title);
  put(native, "description", tool.description, was.description);
  put_stated(native, "category", tool.category, was.category);
  put(native, "parameters", tool.parameters, was.parameters);
  put_stated(native, "_output", tool.output, was.output);
  put_stated(native, "_activity", tool.activity, was.activity);
  put_metadata(native, tool.metadata, was.metadata);
  return native;
}

Json to_json(const Manifest& manifest) {
  JsonObject document = object_or_empty(manifest.native);
  document["protocol_version"] = manifest.protocol_version;
  document["scenario"] = scenario_of(manifest.scenario, object_at(document, "scenario"));
  JsonArray tools;
  for (const ToolDefinition& tool : manifest.tools) tools.push_back(to_json(tool));
  document["tools"] = std::move(tools);
  put_categories(document, manifest.categories);
  document["generated_at"] = manifest.generated_at;
  return document;
}

std::string to_manifest_text(const Manifest& manifest) { return indented_json(to_json(manifest)) + '\n'; }

std::string original_name(const ToolDefinition& tool) {
  const Json* name = tool.native.is_object() ? tool.native.get_object().if_contains("_meta") : nullptr;
  if (name != nullptr && name->is_object()) name = name->get_object().if_contains("dev.toolwire/name");
  return name != nullptr && name->is_string() ? std::string(name->get_string()) : tool.name;
}

}  // namespace toolwire::bridge
