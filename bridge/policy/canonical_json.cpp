#include "policy/canonical_json.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace toolwire::bridge {
namespace {

void append(std::string& out, const Json& value);

void append(std::string& out, const JsonObject& object) {
  std::vector<const JsonObject::value_type*> members;
  for (const auto& item : object) members.push_back(&item);
  std::ranges::sort(members, {}, [](const auto* item) { return std::string_view(item->key()); });
  out.push_back('{');
  for (const auto* item : members) {
    if (item != members.front()) out.push_back(',');
    out.append(to_json_text(Json(item->key()))).push_back(':');
    append(out, item->value());
  }
  out.push_back('}');
}

void append(std::string& out, const JsonArray& array) {
  out.push_back('[');
  for (const Json& item : array) {
    if (&item != &array.front()) out.push_back(',');
    append(out, item);
  }
  out.push_back(']');
}

void append(std::string& out, const Json& value) {
  if (const auto* const object = value.if_object()) return append(out, *object);
  if (const auto* const array = value.if_array()) return append(out, *array);
  out.append(to_json_text(value));
}

}  // namespace

std::string canonical_text(const Json& value) {
  std::string out;
  append(out, value);
  return out;
}

}  // namespace toolwire::bridge
