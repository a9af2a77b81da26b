#include "activities/runtime/listing.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <toolwire/json_members.hpp>
#include <toolwire/text.hpp>

#include "activities/runtime/wire.hpp"
#include "registry/clean_schema.hpp"

namespace toolwire::bridge::runtimes {
namespace {

const JsonArray& array_at(const Json& result, std::string_view name) {
  static const JsonArray none;
  const Json* value = find_member(result, name);
  if (value == nullptr) return none;
  if (!value->is_array()) throw std::invalid_argument("expected \"" + std::string(name) + "\" to be an array");
  return value->get_array();
}

std::optional<bool> hint(const Json& tool, std::string_view name) {
  return bool_member(member_or_null(tool, "annotations"), name);
}

Json native_of(const Json& tool) {
  const Json* permissions = find_member(tool, "permissions");
  if (permissions == nullptr || !permissions->is_object() || permissions->get_object().empty()) return {};
  return JsonObject{{"_meta", JsonObject{{"dev.toolwire/permissions", *permissions}}}};
}

/// Whatever else a schema says of them, parameters are an object, and MCP wants that said. A type that is something
/// else stays.
Json parameters_from(const Json& schema) {
  Json parameters = clean_schema(schema);
  JsonObject& members = parameters.get_object();
  const Json* const type = members.if_contains("type");
  const bool may_be_object =
      type == nullptr || (type->is_array() && std::ranges::count(type->get_array(), "object") > 0);
  if (may_be_object) members["type"] = "object";
  return parameters;
}

std::vector<std::string> unchecked_in(const Json& tool) {
  std::vector<std::string> places;
  for (const Json& place : array_at(tool, "unchecked")) {
    if (place.is_string()) places.emplace_back(text::stripped(place.get_string()));
  }
  return places;
}

ToolDefinition definition_from(const Json& tool) {
  ToolDefinition definition;
  definition.name = text_or(tool, "id");
  if (definition.name.empty()) throw std::invalid_argument("a tool without \"id\"");
  definition.title = clean_prose(text_or(tool, "title"));
  definition.description = clean_prose(text_or(tool, "description"));
  const Json* schema = find_member(tool, "schema");
  if (schema == nullptr || !schema->is_object())
    throw std::invalid_argument("tool \"" + definition.name + "\": expected \"schema\" to be an object");
  definition.parameters = parameters_from(*schema);
  if (const Json* output = find_member(tool, "outputSchema"); output != nullptr && output->is_object())
    definition.output = clean_schema(*output);
  if (const auto reads_only = hint(tool, "readOnlyHint")) definition.metadata.modifies_state = !*reads_only;
  definition.metadata.idempotent = hint(tool, "idempotentHint");
  definition.native = native_of(tool);
  return definition;
}

}  // namespace

RuntimeListing listing_from(const Json& result) {
  RuntimeListing listing;
  for (const Json& problem : array_at(result, "problems")) {
    listing.broken.push_back(text_or(problem, "file"));
    listing.problems.push_back(
        text::stripped(text_or(problem, "file") + ": " + text_or(problem, "message"), text::lines));
  }
  for (const Json& tool : array_at(result, "tools")) {
    try {
      listing.tools.push_back(definition_from(tool));
      if (auto unchecked = unchecked_in(tool); !unchecked.empty())
        listing.unchecked[listing.tools.back().name] = std::move(unchecked);
    } catch (const std::invalid_argument& error) {
      listing.problems.emplace_back(text::stripped(error.what(), text::lines));
    }
  }
  return listing;
}

}  // namespace toolwire::bridge::runtimes
