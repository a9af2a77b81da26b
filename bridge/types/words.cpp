#include "types/words.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace toolwire::bridge::types {
namespace {

constexpr std::array constraint_keywords = {"default",
                                            "format",
                                            "pattern",
                                            "minLength",
                                            "maxLength",
                                            "minimum",
                                            "maximum",
                                            "multipleOf",
                                            "minItems",
                                            "maxItems",
                                            "exclusiveMinimum",
                                            "exclusiveMaximum",
                                            "uniqueItems",
                                            "minProperties",
                                            "maxProperties",
                                            "contentEncoding",
                                            "contentMediaType",
                                            "contains",
                                            "minContains",
                                            "maxContains",
                                            "propertyNames",
                                            "patternProperties",
                                            "not",
                                            "if",
                                            "then",
                                            "else",
                                            "dependentRequired",
                                            "dependentSchemas",
                                            "dependencies",
                                            "unevaluatedItems",
                                            "readOnly",
                                            "writeOnly",
                                            "deprecated",
                                            "examples",
                                            "contentSchema",
                                            "unevaluatedProperties"};

/// Schemas within a schema that have no name and no comment of their own.
constexpr std::array nested_keywords = {
    "items", "additionalItems", "additionalProperties", "prefixItems", "anyOf", "oneOf", "allOf"};

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

void add_pascal(std::string& name, std::string_view text) {
  bool begins = true;
  for (const char c : text) {
    if (!(is_letter(c) || is_digit(c)) || c == '_') {
      begins = true;
      continue;
    }
    name += begins ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    begins = false;
  }
}

void add_lines(std::vector<std::string>& lines, std::string text) {
  for (std::size_t at = 0; (at = text.find("*/", at)) != text.npos; ++at) text.insert(at + 1, "\\");
  std::ranges::replace(text, '\r', ' ');
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

constexpr int max_depth = 8;

void add_constraints(std::vector<std::string>& all, const JsonObject& schema, const std::string& place, int depth);

void add_nested(std::vector<std::string>& all, const Json& schema, const std::string& place, int depth) {
  if (schema.is_object() && depth < max_depth) add_constraints(all, schema.get_object(), place + " ", depth + 1);
}

void add_constraints(std::vector<std::string>& all, const JsonObject& schema, const std::string& place, int depth) {
  for (const std::string_view keyword : constraint_keywords) {
    const Json* const value = schema.if_contains(keyword);
    if (value == nullptr) continue;
    const auto* const text = value->if_string();
    const bool is_plain = text != nullptr && keyword != "default";
    all.push_back(place + std::string(keyword) + " " + (is_plain ? std::string(*text) : to_json_text(*value)));
  }
  for (const std::string_view keyword : nested_keywords) {
    const Json* const value = schema.if_contains(keyword);
    if (value == nullptr) continue;
    const std::string below = place + std::string(keyword);
    add_nested(all, *value, below, depth);
    if (!value->is_array()) continue;
    for (std::size_t i = 0; i < value->get_array().size(); ++i)
      add_nested(all, value->get_array()[i], below + "/" + std::to_string(i), depth);
  }
}

}  // namespace

std::string TypeNames::make(std::string_view first, std::string_view second) {
  std::string name;
  add_pascal(name, first);
  add_pascal(name, second);
  if (name.empty() || is_digit(name.front())) name.insert(0, "T");
  std::string free = name;
  for (int number = 2; !taken_.insert(free).second; ++number) free = name + std::to_string(number);
  return free;
}

std::vector<std::string> constraints_of(const JsonObject& schema) {
  std::vector<std::string> all;
  add_constraints(all, schema, {}, 0);
  return all;
}

std::vector<std::string> comment_lines(const JsonObject& schema) {
  std::vector<std::string> lines;
  if (const Json* text = schema.if_contains("description"); text != nullptr && text->is_string())
    add_lines(lines, std::string(text->get_string()));
  for (const std::string& constraint : constraints_of(schema)) add_lines(lines, "@" + constraint);
  return lines;
}

std::vector<const Json*> patterns_of(const JsonObject& schema) {
  std::vector<const Json*> all;
  if (const Json* const patterns = schema.if_contains("patternProperties");
      patterns != nullptr && patterns->is_object())
    for (const auto& [pattern, value] : patterns->get_object()) all.push_back(&value);
  return all;
}

const Json* target_of(const Json& document, std::string_view reference) {
  if (!reference.starts_with('#')) return nullptr;
  const Json* found = &document;
  std::string_view rest = reference.substr(1);
  while (!rest.empty() && found != nullptr) {
    if (!rest.starts_with('/')) return nullptr;
    const std::size_t end = std::min(rest.find('/', 1), rest.size());
    std::string step(rest.substr(1, end - 1));
    for (std::size_t at = 0; (at = step.find('~', at)) != step.npos; ++at)
      step.replace(at, 2, step.compare(at, 2, "~1") == 0 ? "/" : "~");
    found = found->is_object() ? found->get_object().if_contains(step) : nullptr;
    rest.remove_prefix(end);
  }
  return found;
}

std::string last_step(std::string_view reference) {
  return std::string(reference.substr(reference.find_last_of("/#") + 1));
}

bool is_identifier(std::string_view text) {
  if (text.empty() || !is_letter(text.front())) return false;
  return std::ranges::all_of(text, [](char c) { return is_letter(c) || is_digit(c); });
}

}  // namespace toolwire::bridge::types
