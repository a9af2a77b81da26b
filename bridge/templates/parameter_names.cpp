#include "templates/parameter_names.hpp"

#include <algorithm>

namespace toolwire::bridge {
namespace {

const JsonObject* properties_of(const ToolDefinition& tool) {
  const JsonObject* schema = tool.parameters.if_object();
  const Json* properties = schema == nullptr ? nullptr : schema->if_contains("properties");
  return properties == nullptr ? nullptr : properties->if_object();
}

/// Whether the schema expects parameters that it does not name.
bool names_more(const ToolDefinition& tool) {
  const JsonObject* schema = tool.parameters.if_object();
  if (schema == nullptr) return true;
  const Json* additional = schema->if_contains("additionalProperties");
  if (additional != nullptr && *additional != false) return true;
  return std::any_of(schema->begin(), schema->end(), [](const auto& member) {
    const std::string_view keyword = member.key();
    return keyword == "patternProperties" || keyword == "$ref" || keyword == "allOf" || keyword == "anyOf" ||
           keyword == "oneOf" || keyword == "if";
  });
}

std::string first_step(const std::string& name) {
  return name.starts_with('/') ? name.substr(1, name.find('/', 1) - 1) : name;
}

}  // namespace

void check_names(const std::vector<std::string>& names, const ToolDefinition& tool, const std::string& pointer,
                 Findings& findings) {
  if (names_more(tool)) return;
  const JsonObject* properties = properties_of(tool);
  for (const std::string& name : names) {
    if (properties == nullptr || !properties->contains(first_step(name)))
      findings.problem(pointer, "expected the name of a parameter of the tool " + bridge::in_quotes(tool.name) +
                                    " in {" + name + "}");
  }
}

JsonObject defaults_of(const ToolDefinition& tool) {
  JsonObject defaults;
  const JsonObject* properties = properties_of(tool);
  if (properties == nullptr) return defaults;
  for (const auto& [name, schema] : *properties) {
    const JsonObject* object = schema.if_object();
    if (const Json* value = object == nullptr ? nullptr : object->if_contains("default")) defaults[name] = *value;
  }
  return defaults;
}

Json with_defaults(const Json& parameters, const JsonObject& defaults) {
  if (defaults.empty()) return parameters;
  JsonObject all = parameters.as_object();
  for (const auto& [name, value] : defaults) {
    if (!all.contains(name)) all.emplace(name, value);
  }
  return all;
}

}  // namespace toolwire::bridge
