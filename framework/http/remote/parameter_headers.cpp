#include <toolwire/http/detail/parameter_headers.hpp>

#include <sodium.h>

#include <algorithm>
#include <set>
#include <utility>

#include <toolwire/json_members.hpp>

#include <toolwire/http/detail/header_text.hpp>

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

/// Looks for annotations everywhere, and remembers which can be reached.
class Annotations {
 public:
  explicit Annotations(const Json& schema) { look(schema, true, true); }
  const std::optional<std::string>& wrong() const { return wrong_; }

 private:
  /// `is_reachable`: by `properties` alone. `is_schema`: not an object of schemas by name.
  void look(const Json& json, bool is_reachable, bool is_schema) {
    if (wrong_) return;
    if (const JsonArray* const list = json.if_array()) {
      for (const Json& one : *list) look(one, false, true);
    }
    const JsonObject* const members = json.if_object();
    if (members == nullptr) return;
    if (const Json* const header = is_schema ? members->if_contains(annotation) : nullptr)
      judge(*header, text_member(*members, "type"), is_reachable);
    for (const auto& [name, value] : *members) {
      if (is_schema && (name == "enum" || name == "const" || name == "default" || name == "examples")) continue;
      const bool are_properties = is_schema && name == "properties";
      look(value, is_reachable && (are_properties || !is_schema), !are_properties);
    }
  }

  void judge(const Json& header, std::string_view type, bool is_reachable) {
    const std::string name = header.is_string() ? std::string(std::string_view(header.get_string())) : std::string();
    if (!header_text::is_token(name)) {
      wrong_ = "its x-mcp-header is no name of a header field";
    } else if (!is_reachable) {
      wrong_ = "its x-mcp-header \"" + name + "\" stands where no argument can be found by properties alone";
    } else if (type != "string" && type != "integer" && type != "boolean") {
      wrong_ = "its x-mcp-header \"" + name + "\" is of a parameter that is neither string, integer nor boolean";
    } else if (!names_.insert(header_text::lower(name)).second) {
      wrong_ = "two of its parameters have the x-mcp-header \"" + name + "\"";
    }
  }

  std::optional<std::string> wrong_;
  std::set<std::string> names_;
};

}  // namespace

std::string header_value(std::string_view text) {
  return can_stand_as_it_is(text) ? std::string(text)
                                  : std::string(coded_begin) + base64(text) + std::string(coded_end);
}

std::optional<std::string> wrong_parameter_header(const Json& input_schema) {
  return Annotations(input_schema).wrong();
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
