#include "manifest/served_tool.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <toolwire/json_members.hpp>

namespace toolwire::bridge {
namespace {

constexpr std::array<std::string_view, 6> placed_members{"name",        "title",        "description",
                                                         "inputSchema", "outputSchema", "_meta"};
constexpr std::array<std::string_view, 7> added_keys{
    "dev.toolwire/metadata", "dev.toolwire/members", "dev.toolwire/execution",  "dev.toolwire/description",
    "dev.toolwire/added",    "dev.toolwire/stale",   "dev.toolwire/confinement"};

std::string unescaped(std::string_view token) {
  std::string name;
  for (std::size_t i = 0; i < token.size(); ++i) {
    const bool escape = token[i] == '~' && i + 1 < token.size();
    name += escape ? (token[++i] == '1' ? '/' : '~') : token[i];
  }
  return name;
}

void erase_from(Json& parent, std::string_view token) {
  if (parent.is_object()) {
    parent.get_object().stable_erase(unescaped(token));
  } else if (parent.is_array() && !parent.get_array().empty() &&
             std::to_string(parent.get_array().size() - 1) == token) {
    parent.get_array().pop_back();  // a bridge adds at the end only
  }
}

/// Takes away what stands at a pointer, if something does.
void erase_at(Json& value, std::string_view pointer) {
  Json* parent = &value;
  for (pointer.remove_prefix(1); parent != nullptr;) {
    const std::size_t slash = pointer.find('/');
    if (slash == std::string_view::npos) return erase_from(*parent, pointer);
    JsonObject* object = parent->if_object();
    parent = object == nullptr ? nullptr : object->if_contains(unescaped(pointer.substr(0, slash)));
    pointer.remove_prefix(slash + 1);
  }
}

Json parameters_of(const JsonObject& listed, const JsonObject* meta) {
  const JsonObject* schema = object_member(listed, "inputSchema");
  Json holder = JsonObject{{"inputSchema", schema == nullptr ? JsonObject{{"type", "object"}} : *schema}};
  const Json* added = meta == nullptr ? nullptr : meta->if_contains("dev.toolwire/added");
  if (added != nullptr && added->is_array()) {
    JsonArray places = added->get_array();
    std::reverse(places.begin(), places.end());
    for (const Json& place : places) {
      if (place.is_string() && place.get_string().starts_with("/inputSchema/")) erase_at(holder, place.get_string());
    }
  }
  return std::move(holder.get_object()["inputSchema"]);
}

/// From the hints of a server that knows no manifests. Only a tool with the hint "destructive" needs approval.
JsonObject metadata_from_hints(const JsonObject& listed) {
  JsonObject metadata{{"enabled_by_default", true}, {"requires_approval", false}};
  const JsonObject* hints = object_member(listed, "annotations");
  if (hints == nullptr) return metadata;
  const auto flag = [&](std::string_view name) {
    const Json* value = hints->if_contains(name);
    return value == nullptr ? nullptr : value->if_bool();
  };
  if (const bool* destructive = flag("destructiveHint")) metadata["requires_approval"] = *destructive;
  if (const bool* idempotent = flag("idempotentHint")) metadata["idempotent"] = *idempotent;
  if (const bool* read_only = flag("readOnlyHint")) metadata["modifies_state"] = !*read_only;
  return metadata;
}

/// `_meta` of the native tool: what is the server's own, and, for others than bridges, what a manifest has no place
/// for.
JsonObject kept_meta(const JsonObject& listed, const JsonObject* meta, const std::string& name, bool of_bridge) {
  JsonObject kept;
  if (meta != nullptr) {
    for (const auto& [key, value] : *meta) {
      if (std::ranges::find(added_keys, std::string_view(key)) == added_keys.end()) kept[key] = value;
    }
  }
  kept.stable_erase("dev.toolwire/name");
  if (const std::string original = text_or(listed, "name"); original != name) kept["dev.toolwire/name"] = original;
  if (of_bridge) return kept;
  JsonObject others;
  for (const auto& [key, value] : listed) {
    if (std::ranges::find(placed_members, std::string_view(key)) == placed_members.end()) others[key] = value;
  }
  if (!others.empty()) kept["dev.toolwire/tool"] = std::move(others);
  return kept;
}

void put_stated(JsonObject& tool, std::string_view name, const std::string& text) {
  if (!text.empty()) tool[name] = text;
}

}  // namespace

Json native_tool(const JsonObject& listed, NameMapping& names) {
  const JsonObject* meta = object_member(listed, "_meta");
  const JsonObject* kept = meta == nullptr ? nullptr : object_member(*meta, "dev.toolwire/metadata");
  const std::string name = names.map(text_or(listed, "name"));
  JsonObject metadata = kept == nullptr ? metadata_from_hints(listed) : *kept;
  const bool inlined = meta != nullptr && meta->contains("dev.toolwire/description");
  JsonObject tool{{"name", name}};
  put_stated(tool, "title", text_or(listed, "title"));
  tool["description"] = inlined ? text_or(*meta, "dev.toolwire/description") : text_or(listed, "description");
  if (kept != nullptr) put_stated(tool, "category", text_or(metadata, "category"));
  if (kept != nullptr) metadata.stable_erase("category");
  tool["parameters"] = parameters_of(listed, meta);
  if (const JsonObject* output = object_member(listed, "outputSchema")) tool["_output"] = *output;
  tool["metadata"] = std::move(metadata);
  const JsonObject* members = kept == nullptr ? nullptr : object_member(*meta, "dev.toolwire/members");
  if (members != nullptr) {
    for (const auto& [key, value] : *members) tool.emplace(key, value);
  }
  if (JsonObject own = kept_meta(listed, meta, name, kept != nullptr); !own.empty()) tool["_meta"] = std::move(own);
  return tool;
}

}  // namespace toolwire::bridge
