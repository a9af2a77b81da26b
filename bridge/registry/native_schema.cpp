// Native tool schemas, where meta fields stand among the parameters, as definitions.
#include <stdexcept>
#include <string>

#include <toolwire/bridge/tool_registry.hpp>

#include "manifest/findings.hpp"
#include "manifest/meta_fields.hpp"

namespace toolwire::bridge {
namespace {

std::string take_text(JsonObject& schema, std::string_view member, Findings& findings) {
  const Json* found = schema.if_contains(member);
  if (found == nullptr) return {};
  const JsonString* text = found->if_string();
  if (text == nullptr) {
    findings.problem(below("", member), "expected a string");
    return {};
  }
  std::string taken(*text);
  schema.erase(member);
  return taken;
}

/// What `_tool` says; empty if it says nothing usable.
std::string name_in(const JsonObject& schema) {
  const Json* properties = schema.if_contains("properties");
  const Json* tool =
      properties != nullptr && properties->is_object() ? properties->get_object().if_contains("_tool") : nullptr;
  if (tool != nullptr && tool->is_object()) tool = tool->get_object().if_contains("const");
  return tool != nullptr && tool->is_string() ? std::string(tool->get_string()) : std::string();
}

void check_shape(const JsonObject& schema, Findings& findings) {
  const Json* type = schema.if_contains("type");
  if (type == nullptr || *type != "object") findings.problem("/type", "expected \"object\": arguments go by name");
  const Json* properties = schema.if_contains("properties");
  if (properties != nullptr && !properties->is_object()) findings.problem("/properties", "expected an object");
}

[[noreturn]] void refuse(const std::string& name, Findings& findings) {
  std::string text;
  for (const ManifestProblem& problem : findings.take_problems("")) {
    text.append(text.empty() ? "" : "\n").append("tool \"").append(name).append("\": ");
    if (!problem.pointer.empty()) text.append(problem.pointer).append(": ");
    text.append(problem.text);
  }
  throw std::invalid_argument(text);
}

}  // namespace

ToolDefinition definition_from_schema(const Json& schema, std::string_view name) {
  Findings findings("");
  ToolDefinition tool{.name = std::string(name)};
  if (!schema.is_object()) {
    findings.problem("", "expected a JSON Schema with \"type\": \"object\"");
    refuse(tool.name, findings);
  }
  tool.parameters = schema;
  JsonObject& parameters = tool.parameters.get_object();
  if (tool.name.empty()) tool.name = name_in(parameters);
  if (tool.name.empty())
    findings.problem("/properties/_tool", R"(expected {"const": name}: the tool has no other name)");
  tool.title = take_text(parameters, "title", findings);
  tool.description = take_text(parameters, "description", findings);
  check_shape(parameters, findings);
  take_meta_fields(tool, "", findings);
  if (findings.has_problems()) refuse(tool.name, findings);
  return tool;
}

}  // namespace toolwire::bridge
