#include "scenario/variables.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>

namespace toolwire::conformance {
namespace {

/// A string in its parts: what stands there, and the names of variables.
struct Parts {
  std::function<void(std::string_view text)> text;
  std::function<void(std::string_view name)> variable;
};

void take_apart(std::string_view text, const Parts& parts) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = std::min(text.find("${", at), text.size());
    if (begin > at && begin < text.size() && text[begin - 1] == '$') {  // "$${"
      parts.text(text.substr(at, begin - at));
      parts.text("{");
      at = begin + 2;
      continue;
    }
    if (begin > at) parts.text(text.substr(at, begin - at));
    if (begin == text.size()) return;
    const std::size_t end = text.find('}', begin);
    const std::string_view name = end == std::string_view::npos ? "" : text.substr(begin + 2, end - begin - 2);
    if (!is_variable_name(name))
      throw std::invalid_argument(
          "expected the name of a variable and \"}\" after \"${\", or \"$${\" for the text itself");
    parts.variable(name);
    at = end + 1;
  }
}

const Json& value_of(std::string_view name, const JsonObject& variables) {
  if (const Json* const value = variables.if_contains(name)) return *value;
  throw std::out_of_range("there is no variable \"" + std::string(name) + "\"");
}

/// Of a string that is one variable and nothing else; empty for others.
std::string_view only_variable(std::string_view text) {
  if (!text.starts_with("${") || !text.ends_with("}")) return {};
  const std::string_view name = text.substr(2, text.size() - 3);
  return is_variable_name(name) ? name : std::string_view();
}

}  // namespace

bool is_variable_name(std::string_view name) {
  const auto fits = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 &&
         std::ranges::all_of(name, fits);
}

std::string filled_in(std::string_view text, const JsonObject& variables) {
  std::string filled;
  take_apart(text, {.text = [&](std::string_view part) { filled += part; },
                    .variable =
                        [&](std::string_view name) {
                          const Json& value = value_of(name, variables);
                          filled += value.is_string() ? std::string(std::string_view(value.get_string()))
                                                      : to_json_text(value);
                        }});
  return filled;
}

JsonObject filled_in(const JsonObject& object, const JsonObject& variables) {
  JsonObject filled;
  for (const auto& [name, member] : object) filled[name] = filled_in(member, variables);
  return filled;
}

Json filled_in(const Json& value, const JsonObject& variables) {
  if (const JsonObject* const object = value.if_object()) return filled_in(*object, variables);
  if (const JsonArray* const array = value.if_array()) {
    JsonArray filled;
    for (const Json& item : *array) filled.push_back(filled_in(item, variables));
    return filled;
  }
  if (!value.is_string()) return value;
  const std::string_view text = value.get_string();
  if (const std::string_view name = only_variable(text); !name.empty()) return value_of(name, variables);
  return Json(filled_in(text, variables));
}

void for_each_variable(const Json& value, const std::function<void(std::string_view name)>& use) {
  if (const JsonObject* const object = value.if_object()) {
    for (const auto& member : *object) for_each_variable(member.value(), use);
  } else if (const JsonArray* const array = value.if_array()) {
    for (const Json& item : *array) for_each_variable(item, use);
  } else if (value.is_string()) {
    take_apart(value.get_string(), {.text = [](std::string_view) {}, .variable = use});
  }
}

}  // namespace toolwire::conformance
