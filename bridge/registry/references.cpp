#include "registry/references.hpp"

#include <algorithm>
#include <array>

namespace toolwire::bridge {
namespace {

constexpr std::array<std::string_view, 5> not_schemas{"const", "enum", "default", "examples", "example"};
constexpr std::array<std::string_view, 6> maps_of_schemas{"properties",  "patternProperties", "$defs",
                                                          "definitions", "dependentSchemas",  "dependencies"};

template <std::size_t size>
bool is_one_of(const std::array<std::string_view, size>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

bool is_reference(std::string_view keyword) { return keyword == "$ref" || keyword == "$dynamicRef"; }

/// Calls `visit` with every local reference of the schema. Recursion is as deep as the parser allowed.
template <class Value, class Visit>
void each_reference(Value& schema, const Visit& visit, bool is_root = true) {
  if (schema.is_array()) {
    for (auto& element : schema.get_array()) each_reference(element, visit, false);
  }
  if (!schema.is_object() || (!is_root && schema.get_object().contains("$id"))) return;
  for (auto&& member : schema.get_object()) {
    const std::string_view keyword = member.key();
    if (is_reference(keyword) && member.value().is_string()) {
      visit(member.value().get_string());
    } else if (is_one_of(maps_of_schemas, keyword) && member.value().is_object()) {
      for (auto&& named : member.value().get_object()) each_reference(named.value(), visit, false);
    } else if (!is_one_of(not_schemas, keyword)) {
      each_reference(member.value(), visit, false);
    }
  }
}

}  // namespace

Json moved_schema(const Json& schema, std::string_view place) {
  Json moved = schema;
  if (moved.is_object() && moved.get_object().contains("$id")) return moved;
  each_reference(moved, [place](JsonString& reference) {
    if (reference == "#" || reference.starts_with("#/")) reference.insert(0, place).erase(place.size(), 1);
  });
  return moved;
}

bool refers_below(const Json& schema, std::string_view prefix) {
  bool found = false;
  each_reference(schema, [&](const JsonString& reference) { found = found || reference.starts_with(prefix); });
  return found;
}

}  // namespace toolwire::bridge
