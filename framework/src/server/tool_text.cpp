#include "server/tool_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include <toolwire/json_members.hpp>

namespace toolwire::server {
namespace {

std::string plain_text(const Json& value) {
  return value.is_string() ? std::string(value.get_string()) : to_json_text(value);
}

template <class Word>
std::string joined(const JsonArray& items, Word word_of) {
  std::string text;
  for (const Json& item : items) text.append(text.empty() ? "" : " | ").append(word_of(item));
  return text;
}

std::string type_words(const Json& schema, const Json& type) {
  if (type.is_array()) return joined(type.get_array(), plain_text);
  const Json* const items = find_member(schema, "items");
  if (type == "array") return items == nullptr ? "list" : "list of " + words_of(*items);
  const Json* const format = find_member(schema, "format");
  return format == nullptr ? plain_text(type) : plain_text(type) + " (" + plain_text(*format) + ")";
}

std::string range_words(const Json& schema, const char* least, const char* most, const char* unit) {
  const Json* const from = find_member(schema, least);
  const Json* const to = find_member(schema, most);
  if (from != nullptr && to != nullptr)
    return fmt::format(" from {} to {}{}", to_json_text(*from), to_json_text(*to), unit);
  if (from != nullptr) return fmt::format(" of {}{} or more", to_json_text(*from), unit);
  return to == nullptr ? std::string() : fmt::format(" up to {}{}", to_json_text(*to), unit);
}

bool is_required(const Json& schema, std::string_view name) {
  const Json* const required = find_member(schema, "required");
  if (required == nullptr || !required->is_array()) return false;
  return std::ranges::any_of(required->get_array(),
                             [name](const Json& one) { return one.is_string() && one.get_string() == name; });
}

std::string description_of(const Json& schema) {
  const Json* const description = find_member(schema, "description");
  return description != nullptr && description->is_string() ? std::string(description->get_string()) : std::string();
}

struct Argument {
  std::string name;
  std::string takes;
  std::string description;
};

std::vector<Argument> arguments_of(const Json& schema) {
  std::vector<Argument> arguments;
  const Json* const properties = find_member(schema, "properties");
  if (properties == nullptr || !properties->is_object()) return arguments;
  for (const auto& property : properties->get_object()) {
    std::string takes = words_of(property.value());
    if (const Json* usual = find_member(property.value(), "default")) {
      takes += ", else " + to_json_text(*usual);
    } else if (!is_required(schema, property.key())) {
      takes += ", optional";
    }
    arguments.push_back({std::string(property.key()), std::move(takes), description_of(property.value())});
  }
  return arguments;
}

/// Lines after the first stand below it.
std::string indented(std::string_view text, std::size_t columns) {
  std::string out;
  for (const char c : text) {
    out += c;
    if (c == '\n') out.append(columns, ' ');
  }
  return out;
}

}  // namespace

std::string words_of(const Json& schema) {
  if (const Json* values = find_member(schema, "enum"); values != nullptr && values->is_array())
    return joined(values->get_array(), plain_text);
  if (const Json* value = find_member(schema, "const")) return plain_text(*value);
  for (const char* const choice : {"anyOf", "oneOf"}) {
    if (const Json* kinds = find_member(schema, choice); kinds != nullptr && kinds->is_array())
      return joined(kinds->get_array(), words_of);
  }
  if (const Json* reference = find_member(schema, "$ref"); reference != nullptr && reference->is_string()) {
    const std::string_view text(reference->get_string());
    return std::string(text.substr(text.rfind('/') + 1));  // the name of the struct
  }
  const Json* const type = find_member(schema, "type");
  if (type == nullptr) return "any JSON";
  return type_words(schema, *type) + range_words(schema, "minimum", "maximum", "") +
         range_words(schema, "minLength", "maxLength", " characters") +
         range_words(schema, "minItems", "maxItems", " items");
}

std::string text_of(const ToolInfo& info) {
  std::string text = info.name;
  if (!info.description.empty()) text.append(": ").append(indented(info.description, 2));
  text += '\n';
  const std::vector<Argument> arguments = arguments_of(info.input_schema);
  std::size_t names = 0;
  std::size_t kinds = 0;
  for (const Argument& argument : arguments) {
    names = std::max(names, argument.name.size());
    kinds = std::max(kinds, std::min<std::size_t>(argument.takes.size(), 32));
  }
  for (const Argument& argument : arguments) {
    std::string line = fmt::format("    {:<{}}  {:<{}}  {}", argument.name, names, argument.takes, kinds,
                                   indented(argument.description, names + kinds + 8));
    line.erase(line.find_last_not_of(' ') + 1);
    text.append(line) += '\n';
  }
  return text;
}

}  // namespace toolwire::server
