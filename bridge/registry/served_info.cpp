#include "registry/served_info.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <toolwire/bridge/manifest.hpp>

#include "registry/call_time.hpp"
#include "registry/meta_field.hpp"

namespace toolwire::bridge {
namespace {

constexpr const char* latent_note = "You do this yourself: fill `_output` with the result before you call.";

/// Members of a native tool that have their own place in MCP or in `dev.toolwire/metadata`.
constexpr std::array<std::string_view, 8> placed_members{"name",     "title",    "description", "parameters",
                                                         "category", "metadata", "_output",     "_meta"};

bool is_inlined(const Resolution& resolution, const RegistryOptions& registry) {
  return resolution.is_latent() && registry.latent == Latent::inlined;
}

bool has_properties(const JsonObject& schema) {
  const Json* properties = schema.if_contains("properties");
  return properties != nullptr && properties->is_object() && !properties->get_object().empty();
}

JsonArray example_inputs(const Json& examples) {
  JsonArray inputs;
  if (!examples.is_array()) return inputs;
  for (const Json& example : examples.get_array()) {
    const Json* input = example.is_object() ? example.get_object().if_contains("input") : nullptr;
    if (input != nullptr) inputs.push_back(*input);
  }
  return inputs;
}

/// The input schema, and notes on what was added to it.
class InputSchema {
 public:
  InputSchema(const ToolDefinition& tool, bool inlined, bool offer_reasoning)
      : tool_(tool), schema_(tool.parameters.get_object()) {
    const bool plain = !has_properties(schema_) && !inlined;
    JsonObject added;
    if (offer_reasoning && !plain)
      added["_reasoningForCall"] = JsonObject{{"type", "string"}, {"description", reasoning_description}};
    if (inlined) added["_output"] = tool.output;
    put_first(std::move(added));
    if (inlined) require_output();
    put_examples();
  }

  Json take_schema() { return std::move(schema_); }
  JsonArray take_added() { return std::move(added_); }

 private:
  void put_first(JsonObject added) {
    if (added.empty()) return;
    for (const auto& member : added) note("/inputSchema/properties/" + std::string(member.key()));
    Json* own = schema_.if_contains("properties");
    if (own == nullptr || !own->is_object()) note("/inputSchema/properties");
    if (own != nullptr && own->is_object()) {
      for (const auto& [name, schema] : own->get_object()) added[name] = schema;
    }
    schema_["properties"] = std::move(added);
  }

  void require_output() {
    Json* required = schema_.if_contains("required");
    if (required == nullptr || !required->is_array()) {
      note("/inputSchema/required");
      schema_["required"] = JsonArray{"_output"};
    } else {
      note("/inputSchema/required/" + std::to_string(required->get_array().size()));
      required->get_array().push_back("_output");
    }
  }

  void put_examples() {
    JsonArray inputs = example_inputs(tool_.metadata.examples);
    if (inputs.empty() || schema_.contains("examples")) return;
    note("/inputSchema/examples");
    schema_["examples"] = std::move(inputs);
  }

  void note(const std::string& pointer) { added_.emplace_back(pointer); }

  const ToolDefinition& tool_;
  JsonObject schema_;
  JsonArray added_;
};

JsonObject metadata_of(const ToolDefinition& tool, const JsonObject& native) {
  JsonObject metadata;
  if (!tool.category.empty()) metadata["category"] = tool.category;
  if (const Json* own = native.if_contains("metadata"); own != nullptr && own->is_object()) {
    for (const auto& [name, value] : own->get_object()) metadata[name] = value;
  }
  return metadata;
}

JsonObject meta_of(const ToolDefinition& tool, const Resolution& resolution, bool inlined, JsonArray added) {
  JsonObject meta;
  const Json whole = to_json(tool);
  const JsonObject& native = whole.get_object();
  if (const Json* own = native.if_contains("_meta"); own != nullptr && own->is_object()) meta = own->get_object();
  meta["dev.toolwire/metadata"] = metadata_of(tool, native);
  JsonObject members;
  for (const auto& [name, value] : native) {
    if (std::ranges::find(placed_members, std::string_view(name)) == placed_members.end()) members[name] = value;
  }
  if (!members.empty()) meta["dev.toolwire/members"] = std::move(members);
  if (resolution.is_latent()) meta["dev.toolwire/execution"] = "latent";
  if (inlined) meta["dev.toolwire/description"] = tool.description;
  if (!added.empty()) meta["dev.toolwire/added"] = std::move(added);
  return meta;
}

std::vector<Icon> icons_of(const ToolDefinition& tool, const std::vector<ToolCategory>& categories) {
  const auto category = std::ranges::find(categories, tool.category, &ToolCategory::id);
  if (tool.category.empty() || category == categories.end()) return {};
  const bool resolves = category->icon.starts_with("https://") || category->icon.starts_with("data:");
  if (!resolves) return {};
  return {Icon{.src = category->icon}};
}

std::optional<bool> negated(std::optional<bool> stated) { return stated ? std::optional(!*stated) : std::nullopt; }

bool same_icons(const std::vector<Icon>& one, const std::vector<Icon>& other) {
  return std::ranges::equal(one, other, [](const Icon& a, const Icon& b) {
    return a.src == b.src && a.mime_type == b.mime_type && a.sizes == b.sizes && a.theme == b.theme;
  });
}

}  // namespace

ToolInfo served_info(const RegisteredTool& tool, const Resolution& resolution, const RegistryOptions& registry,
                     const BridgeOptions& options, const std::vector<ToolCategory>& categories) {
  const ToolDefinition& definition = tool.definition;
  const bool inlined = is_inlined(resolution, registry);
  InputSchema input(definition, inlined, options.offer_reasoning);
  ToolInfo info{.name = original_name(definition), .description = definition.description, .title = definition.title};
  if (inlined) info.description.append(info.description.empty() ? "" : "\n\n").append(latent_note);
  info.read_only = negated(definition.metadata.modifies_state);
  if (inlined) info.read_only = true;
  info.idempotent = definition.metadata.idempotent;
  info.timeout = call_time(definition.metadata);
  info.icons = icons_of(definition, categories);
  info.input_schema = input.take_schema();
  info.output_schema = definition.output;
  info.meta = meta_of(definition, resolution, inlined, input.take_added());
  info.long_running = definition.metadata.long_running.value_or(false);
  if (options.adjust) options.adjust(definition, info);
  return info;
}

bool same_to_hosts(const ToolInfo& one, const ToolInfo& other) {
  return one.name == other.name && one.description == other.description && one.title == other.title &&
         one.read_only == other.read_only && one.destructive == other.destructive &&
         one.idempotent == other.idempotent && one.open_world == other.open_world && one.timeout == other.timeout &&
         one.rate_per_minute == other.rate_per_minute && one.single_use_answers == other.single_use_answers &&
         one.long_running == other.long_running && one.scopes == other.scopes && same_icons(one.icons, other.icons) &&
         one.meta == other.meta && one.input_schema == other.input_schema && one.output_schema == other.output_schema;
}

}  // namespace toolwire::bridge
