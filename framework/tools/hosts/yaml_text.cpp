#include "yaml_text.hpp"

#include <algorithm>
#include <cstddef>

namespace toolwire::hosts {
namespace {

bool is_plain_key(std::string_view key) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
  };
  const auto is_part = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  constexpr std::string_view words[] = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"};
  std::string lower(key);
  std::ranges::transform(lower, lower.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return !key.empty() && is_letter(key.front()) && key.front() != '-' && std::ranges::all_of(key, is_part) &&
         std::ranges::find(words, lower) == std::end(words);
}

void append_members(std::string& out, const JsonObject& object, std::size_t indent, bool first_is_indented);

/// Behind "key:" or "-".
void append_value(std::string& out, const Json& value, std::size_t indent, bool in_list) {
  const JsonObject* const object = value.if_object();
  const JsonArray* const array = value.if_array();
  if (object != nullptr && !object->empty()) {
    out += in_list ? " " : "\n";
    append_members(out, *object, indent + 2, in_list);
  } else if (array != nullptr && !array->empty()) {
    out += '\n';
    for (const Json& element : *array) {
      out.append(indent + 2, ' ').append("-");
      append_value(out, element, indent + 2, true);
    }
  } else {
    out.append(" ").append(to_json_text(value)).append("\n");
  }
}

void append_members(std::string& out, const JsonObject& object, std::size_t indent, bool first_is_indented) {
  for (const auto& [key, value] : object) {
    if (!first_is_indented) out.append(indent, ' ');
    first_is_indented = false;
    out.append(is_plain_key(key) ? std::string(key) : to_json_text(Json(key))).append(":");
    append_value(out, value, indent, false);
  }
}

}  // namespace

std::string yaml_text(const JsonObject& value) {
  std::string out;
  append_members(out, value, 0, false);
  return out;
}

}  // namespace toolwire::hosts
