#include <toolwire/bridge/composition.hpp>

#include <string>
#include <utility>

#include "registry/meta_field.hpp"
#include "registry/references.hpp"

namespace toolwire::bridge {
namespace {

/// Adds null to what a schema allows. The second value is where the schema itself then stands.
std::pair<Json, std::string> nullable(const Json& schema) {
  const JsonObject* object = schema.if_object();
  const Json* type = object == nullptr ? nullptr : object->if_contains("type");
  const bool only_typed =
      type != nullptr && type->is_string() && !object->contains("enum") && !object->contains("const");
  if (!only_typed) return {JsonObject{{"anyOf", JsonArray{schema, JsonObject{{"type", "null"}}}}}, "/anyOf/0"};
  Json widened = schema;
  if (*type != "null") widened.get_object()["type"] = JsonArray{*type, "null"};
  return {std::move(widened), ""};
}

/// One tool's part of the composition.
class Part {
 public:
  Part(const RegisteredTool& tool, const Resolution& resolution, const ComposeOptions& options, std::string place)
      : tool_(tool), resolution_(resolution), options_(options), place_(std::move(place)) {}

  Json schema() const {
    const Json moved = moved_schema(tool_.definition.parameters, place_);
    const JsonObject& parameters = moved.get_object();
    JsonObject schema{{"type", "object"}};
    if (!tool_.definition.title.empty()) schema["title"] = tool_.definition.title;
    if (!tool_.definition.description.empty()) schema["description"] = tool_.definition.description;
    schema["properties"] = properties(parameters);
    schema["required"] = required(parameters);
    for (const auto& [keyword, value] : parameters) {
      if (!schema.contains(keyword)) schema[keyword] = value;
    }
    return schema;
  }

 private:
  bool has_output() const {
    return !tool_.definition.output.is_null() &&
           (resolution_.is_latent() || options_.output == ComposeOptions::Output::nullable);
  }

  Json output() const {
    const std::string place = place_ + "/properties/_output";
    if (options_.output == ComposeOptions::Output::strip) return moved_schema(tool_.definition.output, place);
    if (resolution_.is_latent()) return moved_schema(tool_.definition.output, place);  // required, so never null
    auto [schema, inner] = nullable(tool_.definition.output);
    return nullable(moved_schema(tool_.definition.output, place + inner)).first;
  }

  JsonObject properties(const JsonObject& parameters) const {
    JsonObject properties{
        {"_tool", JsonObject{{"type", "string"}, {"const", tool_.definition.name}}},
        {"_activity", JsonObject{{"type", "string"}, {"const", resolution_.activity}}},
        {"_reasoningForCall", JsonObject{{"type", "string"}, {"description", reasoning_description}}}};
    if (has_output() && !options_.output_last) properties["_output"] = output();
    const Json* own = parameters.if_contains("properties");
    if (own != nullptr && own->is_object()) {
      for (const auto& [name, schema] : own->get_object()) properties[name] = schema;
    }
    if (has_output() && options_.output_last) properties["_output"] = output();
    return properties;
  }

  JsonArray required(const JsonObject& parameters) const {
    JsonArray required{"_tool", "_activity"};
    if (has_output() && resolution_.is_latent()) required.push_back("_output");
    const Json* own = parameters.if_contains("required");
    if (own != nullptr && own->is_array()) {
      for (const Json& name : own->get_array()) required.push_back(name);
    }
    return required;
  }

  const RegisteredTool& tool_;
  const Resolution& resolution_;
  const ComposeOptions& options_;
  const std::string place_;
};

}  // namespace

Json compose(const std::vector<ToolPointer>& tools, const ActivityRegistry& activities, const ComposeOptions& options) {
  const std::string place = options.bare ? "#/calls/items/anyOf/" : "#/properties/calls/items/anyOf/";
  JsonArray choices;
  for (const ToolPointer& tool : tools) {
    const Resolution resolution = resolve(tool->definition, activities, options.dangling);
    choices.push_back(Part(*tool, resolution, options, place + std::to_string(choices.size())).schema());
  }
  Json calls = JsonObject{{"type", "array"}, {"items", JsonObject{{"anyOf", std::move(choices)}}}};
  JsonObject member{{"calls", std::move(calls)}};
  if (options.bare) return member;
  return JsonObject{{"type", "object"}, {"properties", std::move(member)}, {"required", JsonArray{"calls"}}};
}

}  // namespace toolwire::bridge
