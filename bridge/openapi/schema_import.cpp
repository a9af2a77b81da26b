#include "openapi/schema_import.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <toolwire/json_members.hpp>

#include "manifest/tool_name.hpp"

namespace toolwire::bridge::openapi {
namespace {

constexpr std::size_t max_size = 5'000;  // schemas in one tool

template <std::size_t N>
bool is_one_of(std::string_view name, const std::array<std::string_view, N>& names) {
  return std::ranges::find(names, name) != names.end();
}

/// Members that OpenAPI has beside those of JSON Schema, or that mean something in a whole document only.
bool is_left_out(std::string_view name) {
  constexpr std::array<std::string_view, 10> names{"xml",     "discriminator", "externalDocs", "example", "nullable",
                                                   "$schema", "$id",           "$anchor",      "$defs",   "readOnly"};
  return name.starts_with("x-") || is_one_of(name, names);
}

constexpr std::array<std::string_view, 3> maps{"properties", "patternProperties", "dependentSchemas"};
constexpr std::array<std::string_view, 4> lists{"allOf", "anyOf", "oneOf", "prefixItems"};
constexpr std::array<std::string_view, 9> single{
    "items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames", "unevaluatedProperties"};

void add_null(JsonObject& schema) {
  if (Json* const type = schema.if_contains("type"); type != nullptr && type->is_string())
    *type = JsonArray{*type, "null"};
  if (Json* const values = schema.if_contains("enum"); values != nullptr && values->is_array()) {
    JsonArray& list = values->get_array();
    if (std::ranges::find(list, Json(nullptr)) == list.end()) list.push_back(nullptr);
  }
}

/// 3.0 says with a boolean that a bound is exclusive.
void take_exclusive(JsonObject& schema, std::string_view exclusive, std::string_view bound) {
  const Json* const flag = schema.if_contains(exclusive);
  if (flag == nullptr || !flag->is_bool()) return;
  const Json* const value = schema.if_contains(bound);
  const bool counts = flag->get_bool() && value != nullptr;
  const Json limit = counts ? *value : Json();
  schema.erase(exclusive);
  if (!counts) return;
  schema.erase(bound);
  schema[exclusive] = limit;
}

std::string name_of_reference(const std::string& pointer) {
  NameMapping plain;
  return plain.map(pointer.substr(pointer.rfind('/') + 1));
}

}  // namespace

Json SchemaImport::take(const Json& schema, const std::string& place) {
  size_ = 0;
  return converted(schema, place);
}

Json SchemaImport::converted(const Json& schema, const std::string& place) {
  const JsonObject* const object = schema.if_object();
  if (object == nullptr) return schema.is_bool() ? schema : Json(JsonObject());
  if (++size_ > max_size) {
    if (size_ == max_size + 1) notes_.hint(place, "the schema is too large; any value fits from here on");
    return JsonObject();
  }
  const Json* const reference = object->if_contains("$ref");
  if (reference != nullptr && reference->is_string())
    return from_reference(*object, std::string(reference->get_string()), place);
  return converted_members(*object, place);
}

Json SchemaImport::from_reference(const JsonObject& schema, const std::string& reference, const std::string& place) {
  const std::string pointer = pointer_of(reference);
  const Json* const target = pointer.empty() ? nullptr : document_.at(pointer);
  if (target == nullptr) {
    notes_.hint(below(place, "$ref"), "leads nowhere in this file, so any value fits: " + in_quotes(reference));
    return JsonObject();
  }
  const auto link = [&] { return Json(JsonObject{{"$ref", "#/$defs/" + named_.at(pointer)}}); };
  if (named_.contains(pointer) && definitions_.contains(named_.at(pointer))) return link();
  if (std::ranges::find(open_, pointer) != open_.end()) {
    if (!named_.contains(pointer)) {
      std::string name = name_of_reference(pointer);
      while (std::ranges::any_of(named_, [&](const auto& one) { return one.second == name; })) name += '_';
      named_.emplace(pointer, std::move(name));
    }
    return link();
  }
  open_.push_back(pointer);
  Json result = converted(*target, pointer);
  open_.pop_back();
  if (named_.contains(pointer)) {
    definitions_[named_.at(pointer)] = std::move(result);
    return link();
  }
  const Json* const said = schema.if_contains("description");  // beside the reference, since 3.1
  if (said != nullptr && said->is_string() && result.is_object()) result.get_object()["description"] = *said;
  return result;
}

JsonObject SchemaImport::converted_members(const JsonObject& schema, const std::string& place) {
  JsonObject result;
  for (const auto& [name, value] : schema) {
    if (!is_left_out(name)) result[name] = converted_member(std::string(name), value, below(place, name));
  }
  if (text_member(schema, "type") == "file") result["type"] = "string";
  leave_out_read_only(schema, result);
  take_exclusive(result, "exclusiveMinimum", "minimum");
  take_exclusive(result, "exclusiveMaximum", "maximum");
  if (bool_member(schema, "nullable").value_or(false)) add_null(result);
  return result;
}

Json SchemaImport::converted_member(const std::string& name, const Json& value, const std::string& place) {
  if (is_one_of(name, maps) && value.is_object()) return map_of(value.get_object(), place, name == "properties");
  if (is_one_of(name, lists) && value.is_array()) return list_of(value.get_array(), place);
  if (is_one_of(name, single)) return converted(value, place);
  return value;
}

JsonObject SchemaImport::map_of(const JsonObject& schemas, const std::string& place, bool are_properties) {
  JsonObject result;
  for (const auto& [name, schema] : schemas) {
    if (!are_properties || !is_read_only(schema)) result[name] = converted(schema, below(place, name));
  }
  return result;
}

JsonArray SchemaImport::list_of(const JsonArray& schemas, const std::string& place) {
  JsonArray result;
  for (std::size_t i = 0; i < schemas.size(); ++i) result.push_back(converted(schemas[i], below(place, i)));
  return result;
}

/// What only answers have.
bool SchemaImport::is_read_only(const Json& property) const {
  const JsonObject* const object = document_.object(property);
  return object != nullptr && bool_member(*object, "readOnly").value_or(false);
}

void SchemaImport::leave_out_read_only(const JsonObject& schema, JsonObject& result) const {
  const JsonObject* const properties = object_member(schema, "properties");
  Json* const required = result.if_contains("required");
  if (required == nullptr) return;
  if (!required->is_array()) {  // a flag, as drafts before the fourth had it
    result.erase("required");
    return;
  }
  if (properties == nullptr) return;
  JsonArray left;
  for (const Json& name : required->get_array()) {
    const Json* const property = name.is_string() ? properties->if_contains(name.get_string()) : nullptr;
    if (property == nullptr || !is_read_only(*property)) left.push_back(name);
  }
  if (left.empty()) {
    result.erase("required");
  } else {
    *required = std::move(left);
  }
}

}  // namespace toolwire::bridge::openapi
