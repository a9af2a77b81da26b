// A manifest and tools/list: what is sent beside the tools, and the document made of both again.
#include <algorithm>
#include <cstdint>
#include <utility>

#include <toolwire/bridge/manifest.hpp>
#include <toolwire/json_members.hpp>

#include "manifest/findings.hpp"
#include "manifest/read_manifest.hpp"
#include "manifest/read_tool.hpp"
#include "manifest/served_tool.hpp"
#include "manifest/tool_name.hpp"

namespace toolwire::bridge {
namespace {

constexpr std::string_view document_key = "dev.toolwire/manifest";
constexpr std::string_view unlisted_key = "dev.toolwire/unlisted";
constexpr std::string_view categories_key = "dev.toolwire/categories";

/// Whether both name the same categories in the same order.
bool same_ids(const JsonArray& one, const JsonArray& other) {
  const auto id = [](const Json& category) {
    const Json* value = category.is_object() ? category.get_object().if_contains("id") : nullptr;
    return value == nullptr ? Json() : *value;
  };
  return std::ranges::equal(one, other, {}, id, id);
}

/// The document without tools. What the server lists now goes before what its manifest once was.
JsonObject document_of(const ServedList& list) {
  const Json* kept = list.meta.if_contains(document_key);
  JsonObject document;
  if (kept != nullptr && kept->is_object()) {
    document = kept->get_object();
  } else {
    document["protocol_version"] = "1.0";
    document["scenario"] =
        JsonObject{{"name", list.name}, {"version", list.version}, {"description", list.description}};
    document["tools"] = JsonArray{};
  }
  const JsonArray* categories = array_member(list.meta, categories_key);
  const JsonArray* known = array_member(document, "categories");
  if (categories != nullptr && (known == nullptr || !same_ids(*categories, *known))) {
    document["categories"] = *categories;
  }
  const Json* time = list.meta.if_contains("dev.toolwire/generated_at");
  if (time != nullptr && time->is_string()) document["generated_at"] = *time;
  if (!document.contains("generated_at")) document["generated_at"] = now_as_timestamp();
  return document;
}

/// Puts the tools that a bridge does not list where they stand in its manifest.
void add_unlisted(const ServedList& list, JsonArray& tools) {
  const JsonArray* unlisted = array_member(list.meta, unlisted_key);
  if (unlisted == nullptr) return;
  for (const Json& entry : *unlisted) {
    const JsonObject* object = entry.if_object();
    const Json* position = object == nullptr ? nullptr : object->if_contains("position");
    const Json* tool = object == nullptr ? nullptr : object->if_contains("tool");
    if (position == nullptr || tool == nullptr || !position->is_int64()) continue;
    const auto last = static_cast<std::int64_t>(tools.size());
    tools.insert(tools.begin() + std::clamp<std::int64_t>(position->get_int64(), 0, last), *tool);
  }
}

}  // namespace

JsonObject list_meta(const Manifest& manifest, const std::function<bool(const ToolDefinition&)>& is_listed) {
  Json whole = to_json(manifest);
  JsonObject& document = whole.get_object();
  JsonArray unlisted;
  for (std::size_t position = 0; position < manifest.tools.size(); ++position) {
    const ToolDefinition& tool = manifest.tools[position];
    if (is_listed ? is_listed(tool) : tool.metadata.enabled_by_default) continue;
    unlisted.push_back(JsonObject{{"position", position}, {"tool", to_json(tool)}});
  }
  document["tools"] = JsonArray{};
  JsonObject meta{{"dev.toolwire/protocol_version", manifest.protocol_version},
                  {"dev.toolwire/generated_at", manifest.generated_at}};
  if (!manifest.scenario.base_url.empty()) meta["dev.toolwire/base_url"] = manifest.scenario.base_url;
  if (const Json* categories = document.if_contains("categories")) meta[categories_key] = *categories;
  if (!unlisted.empty()) meta[unlisted_key] = std::move(unlisted);
  meta[document_key] = std::move(document);
  return meta;
}

Manifest manifest_from_server(const ServedList& list) {
  JsonObject document = document_of(list);
  JsonArray tools;
  NameMapping names;
  for (const Json& tool : list.tools) {
    if (tool.is_object()) tools.push_back(native_tool(tool.get_object(), names));
  }
  add_unlisted(list, tools);
  document["tools"] = std::move(tools);
  Findings findings("");
  return read_manifest_document(document, ManifestOrigin::fetched, findings);
}

}  // namespace toolwire::bridge
