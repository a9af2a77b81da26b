#include "manifest/meta_fields.hpp"

#include <fmt/format.h>

namespace toolwire::bridge {
namespace {

/// "x" or {"const": "x"}.
const JsonString* fixed_text(const Json& field) {
  if (field.is_string()) return &field.get_string();
  const JsonObject* schema = field.if_object();
  const Json* value = schema == nullptr ? nullptr : schema->if_contains("const");
  return value == nullptr ? nullptr : value->if_string();
}

void take_tool(const Json& field, const ToolDefinition& tool, const std::string& pointer, Findings& findings) {
  const JsonString* name = fixed_text(field);
  if (name == nullptr || *name != tool.name) {
    findings.problem(pointer, fmt::format(R"(expected {{"const": {}}}, the name of the tool)", in_quotes(tool.name)));
  }
}

void take_activity(const Json& field, ToolDefinition& tool, const std::string& pointer, Findings& findings) {
  if (const JsonString* name = fixed_text(field)) {
    tool.activity = std::string(*name);
  } else {
    findings.problem(pointer, R"(expected the name of an Activity, as a string or as {"const": name})");
  }
}

void take_field(std::string_view name, const Json& field, ToolDefinition& tool, const std::string& pointer,
                Findings& findings) {
  if (name == "_tool") {
    take_tool(field, tool, pointer, findings);
  } else if (name == "_activity") {
    take_activity(field, tool, pointer, findings);
  } else if (name == "_output") {
    tool.output = field;
  } else if (name != "_reasoningForCall") {
    findings.problem(pointer, "names that begin with \"_\" belong to the system; expected another name");
  }
}

/// The schema without the names in `required` that are no parameters any more.
void drop_required(JsonObject& schema) {
  Json* required = schema.if_contains("required");
  if (required == nullptr || !required->is_array()) return;
  JsonArray kept;
  for (const Json& name : required->get_array()) {
    if (!name.is_string() || !name.get_string().starts_with('_')) kept.push_back(name);
  }
  if (kept.size() == required->get_array().size()) return;
  if (kept.empty()) {
    schema.stable_erase("required");
  } else {
    *required = std::move(kept);
  }
}

bool is_meta(const JsonObject::value_type& member) { return std::string_view(member.key()).starts_with('_'); }

}  // namespace

void take_meta_fields(ToolDefinition& tool, const std::string& pointer, Findings& findings) {
  JsonObject* schema = tool.parameters.if_object();
  Json* properties = schema == nullptr ? nullptr : schema->if_contains("properties");
  if (properties == nullptr || !properties->is_object()) return;
  JsonObject parameters;
  for (const auto& member : properties->get_object()) {
    if (is_meta(member)) {
      take_field(member.key(), member.value(), tool, below(below(pointer, "properties"), member.key()), findings);
    } else {
      parameters.emplace(member.key(), member.value());
    }
  }
  if (parameters.size() == properties->get_object().size()) return;
  *properties = std::move(parameters);
  drop_required(*schema);
}

}  // namespace toolwire::bridge
