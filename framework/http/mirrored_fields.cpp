#include "mirrored_fields.hpp"

#include <optional>
#include <string_view>
#include <toolwire/http/detail/header_text.hpp>
#include <toolwire/http/named_parameter.hpp>
#include <toolwire/json_members.hpp>
#include <toolwire/text.hpp>

#include "json/parse.hpp"

namespace toolwire::http {
namespace {

std::string shown(std::string_view text) {
  constexpr std::size_t max_shown = 80;
  return "'" + text::visible(text.substr(0, max_shown)) + "'";
}

/// `field`: as the specification spells it.
std::string mismatch_of_text(const HeaderFields& fields, std::string_view field, std::string_view expected) {
  const auto said = fields.find(header_text::lower(field));
  if (!said) return std::string(field) + " is missing";
  const auto value = mirrored_value(*said);
  if (!value) return std::string(field) + " has characters that are not allowed, or is no base64";
  if (*value == expected) return {};
  return std::string(field) + " " + shown(*value) + " is not that of the body, " + shown(expected);
}

/// `Mcp-Method` has no coded form.
std::string mismatch_of_method(const HeaderFields& fields, std::string_view method) {
  const auto said = fields.find("mcp-method");
  if (!said) return "Mcp-Method is missing";
  return *said == method ? std::string() : "Mcp-Method " + shown(*said) + " is not that of the body, " + shown(method);
}

bool equals(std::string_view said, const Json& value) {
  if (const JsonString* text = value.if_string()) return said == std::string_view(*text);
  if (value.is_bool()) return said == (value.get_bool() ? "true" : "false");
  try {
    const Json number = parse_json(said);
    return number.is_number() && value.is_number() && number.to_number<double>() == value.to_number<double>();
  } catch (const JsonError&) {
    return false;
  }
}

std::string mismatch_of_parameter(const HeaderFields& fields, const std::string& field, const Json& value) {
  const auto said = fields.find(header_text::lower(field));
  if (value.is_null()) return said ? field + " is there, but the argument it repeats is not" : std::string();
  if (value.is_structured()) return {};  // no value of its type: the call is refused for that
  if (!said) return field + " is missing";
  const auto decoded = mirrored_value(*said);
  if (!decoded) return field + " has characters that are not allowed, or is no base64";
  return equals(*decoded, value) ? std::string() : field + " " + shown(*decoded) + " is not that of the body";
}

/// Walks the properties that can be reached by `properties` alone.
std::string mismatch_of_parameters(const HeaderFields& fields, const Json& schema, const Json& arguments) {
  const JsonObject* const properties = object_member(schema, "properties");
  if (properties == nullptr) return {};
  for (const auto& [name, property] : *properties) {
    const Json& value = member_or_null(arguments, name);
    const std::string_view header = text_member(property, "x-mcp-header");
    std::string wrong =
        header.empty() ? std::string() : mismatch_of_parameter(fields, "Mcp-Param-" + std::string(header), value);
    if (wrong.empty()) wrong = mismatch_of_parameters(fields, property, value);
    if (!wrong.empty()) return wrong;
  }
  return {};
}

/// Whom ServerOptions::identify is yet to name is not asked about: the fields have to be right in any case.
bool is_seen(const features::ServedTool& tool, const JsonObject& params, const protocol::Service& service,
             const Sender& sender) {
  return !tool.visible() || is_yet_to_be_named(sender, service) || asker_of(params, sender).sees(tool);
}

}  // namespace

std::string mismatch_in(const HeaderFields& fields, const jsonrpc::Request& request, const protocol::Service& service,
                        const Sender& sender) {
  std::string wrong = mismatch_of_method(fields, request.method);
  if (!wrong.empty()) return wrong;
  const std::string_view named = named_parameter(request.method);
  if (named.empty()) return {};
  const JsonObject& params = request.params.get_object();
  const Json* const name = params.if_contains(named);
  if (name == nullptr || !name->is_string()) return {};  // refused for that
  wrong = mismatch_of_text(fields, "Mcp-Name", name->get_string());
  if (!wrong.empty() || request.method != "tools/call") return wrong;
  const auto tool = service.tools.find(std::string_view(name->get_string()));
  return tool && is_seen(*tool, params, service, sender)
             ? mismatch_of_parameters(fields, tool->tool.info.input_schema, member_or_null(params, "arguments"))
             : std::string();
}

}  // namespace toolwire::http
