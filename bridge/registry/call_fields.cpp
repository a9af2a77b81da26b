#include "registry/call_fields.hpp"

#include <algorithm>
#include <utility>

#include <toolwire/error.hpp>

#include "registry/meta_field.hpp"

namespace toolwire::bridge {
namespace {

class Split {
 public:
  Split(const RegisteredTool& tool, const Resolution& resolution) : tool_(tool), resolution_(resolution) {
    call_.tool = tool.definition.name;
    call_.activity = resolution.activity;
  }

  Call take(const JsonObject& arguments, Identity identity) {
    const bool plain =
        std::ranges::none_of(arguments, [](const auto& member) { return member.key().starts_with('_'); });
    if (plain && identity == Identity::optional) {
      call_.parameters = arguments;
      return std::move(call_);
    }
    JsonObject& parameters = call_.parameters.get_object();
    for (const auto& [name, value] : arguments) {
      if (is_parameter(name)) {
        parameters.emplace(name, value);
      } else {
        take_field(name, value);
      }
    }
    if (identity == Identity::required && !arguments.contains("_activity"))
      problem("_activity: missing; expected " + to_json_text(Json(resolution_.activity)));
    if (!problems_.empty()) throw InvalidArguments(problems_);
    return std::move(call_);
  }

 private:
  bool is_parameter(std::string_view name) const {
    return !name.starts_with('_') || std::ranges::find(tool_.meta_names, name) != tool_.meta_names.end();
  }

  void take_field(std::string_view name, const Json& value) {
    if (name == "_tool") {
      expect("_tool", value, tool_.definition.name);
    } else if (name == "_activity") {
      expect("_activity", value, resolution_.activity);
    } else if (name == "_reasoningForCall") {
      if (!value.is_string()) return problem("_reasoningForCall: expected a string");
      call_.reasoning = value.get_string();
    } else if (name == "_output") {
      if (!value.is_null()) call_.output = value;
    } else {
      problem("unsupported meta field \"" + std::string(name) + "\"");
    }
  }

  void expect(std::string_view name, const Json& value, const std::string& expected) {
    if (!value.is_string() || value.get_string() != expected)
      problem(std::string(name) + ": expected " + to_json_text(Json(expected)));
  }

  void problem(const std::string& text) { problems_.append(problems_.empty() ? "" : "\n").append(text); }

  const RegisteredTool& tool_;
  const Resolution& resolution_;
  Call call_;
  std::string problems_;
};

}  // namespace

Call split_call(const RegisteredTool& tool, const Resolution& resolution, const Json& arguments, Identity identity) {
  if (!arguments.is_object()) throw InvalidArguments("expected an object of arguments");
  return Split(tool, resolution).take(arguments.get_object(), identity);
}

std::optional<std::string> misfit(const RegisteredTool& tool, const Json& parameters) {
  if (!parameters.is_object()) return "expected an object of arguments";
  if (!tool.parameters || tool.parameters->is_valid(parameters)) return std::nullopt;
  std::string text;
  for (const SchemaViolation& violation : tool.parameters->validate(parameters))
    text.append(text.empty() ? "" : "\n").append(violation.text());
  return text;
}

JsonObject filled(const Call& call) {
  JsonObject object{{"_tool", call.tool}, {"_activity", call.activity}};
  if (!call.reasoning.empty()) object["_reasoningForCall"] = call.reasoning;
  if (call.output) object["_output"] = *call.output;
  if (const JsonObject* parameters = call.parameters.if_object()) {
    for (const auto& [name, value] : *parameters) object[name] = value;
  }
  return object;
}

}  // namespace toolwire::bridge
