#include <toolwire/http/detail/parameter_headers.hpp>

#include <sodium.h>

#include <algorithm>
#include <utility>

#include <toolwire/json_members.hpp>
#include <toolwire/text.hpp>

#include <toolwire/http/detail/header_text.hpp>

#include "features/parameter_header.hpp"

namespace toolwire::remote {
namespace {

constexpr std::string_view annotation = "x-mcp-header";
constexpr std::string_view coded_begin = "=?base64?";
constexpr std::string_view coded_end = "?=";

std::string base64(std::string_view bytes) {
  std::string text(sodium_base64_encoded_len(bytes.size(), sodium_base64_VARIANT_ORIGINAL), '\0');
  sodium_bin2base64(text.data(), text.size(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
                    sodium_base64_VARIANT_ORIGINAL);
  text.pop_back();  // its zero
  return text;
}

bool is_blank(char c) { return c == ' ' || c == '\t'; }

bool can_stand_as_it_is(std::string_view text) {
  if (text.empty()) return true;
  if (is_blank(text.front()) || is_blank(text.back())) return false;
  if (text.starts_with(coded_begin) && text.ends_with(coded_end)) return false;
  return std::ranges::all_of(text, [](char c) { return c == '\t' || (c >= 0x20 && c <= 0x7e); });
}

/// Nothing for values that no header repeats.
std::optional<std::string> text_of(const Json& value) {
  if (const JsonString* const text = value.if_string()) return std::string(std::string_view(*text));
  if (value.is_bool()) return value.get_bool() ? "true" : "false";
  if (value.is_number()) return to_json_text(value);  // a whole number without a fraction, however it was written
  return std::nullopt;
}

}  // namespace

std::string header_value(std::string_view text) {
  return can_stand_as_it_is(text) ? std::string(text)
                                  : std::string(coded_begin) + base64(text) + std::string(coded_end);
}

std::optional<std::string> wrong_parameter_header(const Json& input_schema) {
  return features::wrong_parameter_header(input_schema);
}

std::vector<std::string> take_out_wrong_tools(Json& answer) {
  std::vector<std::string> why;
  JsonObject* const members = answer.if_object();
  Json* const result = members != nullptr ? members->if_contains("result") : nullptr;
  JsonObject* const of_result = result != nullptr ? result->if_object() : nullptr;
  Json* const tools = of_result != nullptr ? of_result->if_contains("tools") : nullptr;
  if (tools == nullptr || !tools->is_array()) return why;
  JsonArray fine;
  for (Json& tool : tools->get_array()) {
    if (const auto wrong = wrong_parameter_header(member_or_null(tool, "inputSchema"))) {
      why.push_back("\"" + text::stripped(text_or(tool, "name")) + "\": " + *wrong);
    } else {
      fine.push_back(std::move(tool));
    }
  }
  *tools = std::move(fine);
  return why;
}

void ParameterHeaders::learn(const Json& result) {
  const JsonArray* const tools = array_member(result, "tools");
  if (tools == nullptr) return;
  for (const Json& tool : *tools) {
    std::vector<Parameter> parameters;
    collect(member_or_null(tool, "inputSchema"), {}, parameters);
    by_tool_.insert_or_assign(text_or(tool, "name"), std::move(parameters));
  }
}

void ParameterHeaders::collect(const Json& schema, std::vector<std::string> path, std::vector<Parameter>& into) {
  const JsonObject* const properties = object_member(schema, "properties");
  if (properties == nullptr) return;
  for (const auto& [name, property] : *properties) {
    path.emplace_back(name);
    if (std::string header = text_or(property, annotation); header_text::is_token(header))
      into.push_back({"Mcp-Param-" + header, path});
    collect(property, path, into);
    path.pop_back();
  }
}

HttpHeaders ParameterHeaders::headers_for(const std::string& tool, const Json& arguments) const {
  HttpHeaders headers;
  const auto found = by_tool_.find(tool);
  if (found == by_tool_.end()) return headers;
  for (const Parameter& parameter : found->second) {
    const Json* value = &arguments;
    for (const std::string& name : parameter.path) value = &member_or_null(*value, name);
    if (const auto text = text_of(*value)) headers.emplace_back(parameter.header, header_value(*text));
  }
  return headers;
}

}  // namespace toolwire::remote
