// What the value of each keyword must look like before it is compiled.
#include <algorithm>
#include <array>
#include <set>

#include "schema/dialect.hpp"
#include "schema/numbers.hpp"

namespace toolwire::schema {
namespace {

bool is_schema(const Json& value) { return value.is_object() || value.is_bool(); }

bool is_count(const Json& value) {
  if (const auto* number = value.if_double()) return *number >= 0 && is_whole(*number);
  return value.is_uint64() || (value.is_int64() && value.get_int64() >= 0);
}

bool is_anchor(const Json& value) {
  if (!value.is_string() || value.get_string().empty()) return false;
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto& text = value.get_string();
  return letter(text[0]) && std::all_of(text.begin(), text.end(), [&](char c) {
           return letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
         });
}

bool is_type_name(const Json& value) {
  static constexpr std::array<std::string_view, 7> names = {"null",   "boolean", "integer", "number",
                                                            "string", "array",   "object"};
  if (!value.is_string()) return false;
  const auto& text = value.get_string();
  return std::find(names.begin(), names.end(), std::string_view{text.data(), text.size()}) != names.end();
}

// JSON arrays of names are short; a set keeps a hostile one from costing more than n log n.
bool are_distinct_texts(const Json& value) {
  if (!value.is_array()) return false;
  std::set<std::string_view> seen;
  for (const Json& element : value.get_array()) {
    if (!element.is_string()) return false;
    if (!seen.insert({element.get_string().data(), element.get_string().size()}).second) return false;
  }
  return true;
}

bool is_type(const Json& value) {
  if (!value.is_array()) return is_type_name(value);
  const auto& names = value.get_array();
  return !names.empty() && are_distinct_texts(value) && std::all_of(names.begin(), names.end(), is_type_name);
}

template <class Check>
bool all_members(const Json& value, Check check) {
  if (!value.is_object()) return false;
  const auto& members = value.get_object();
  return std::all_of(members.begin(), members.end(), [&](const auto& member) { return check(member.value()); });
}

bool are_schemas(const Json& value) {
  return value.is_array() && !value.get_array().empty() &&
         std::all_of(value.get_array().begin(), value.get_array().end(), is_schema);
}

bool is_dependency(const Json& value) { return is_schema(value) || are_distinct_texts(value); }

std::optional<std::string_view> unless(bool good, std::string_view expected) {
  return good ? std::nullopt : std::optional(expected);
}

std::optional<std::string_view> wrong_applicator(Shape shape, const Json& value) {
  switch (shape) {
    case Shape::schema:
      return unless(is_schema(value), "expected a schema (an object or a boolean)");
    case Shape::schemas:
      return unless(are_schemas(value), "expected an array of schemas, not empty");
    case Shape::schema_map:
      return unless(all_members(value, is_schema), "expected an object whose members are schemas");
    case Shape::schema_or_schemas:
      return unless(is_schema(value) || (value.is_array() && value.get_array().empty()) || are_schemas(value),
                    "expected a schema, or in draft-07 an array of schemas");
    case Shape::dependencies:
      return unless(all_members(value, is_dependency),
                    "expected an object whose members are schemas or arrays of names");
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<std::string_view> wrong_shape(Shape shape, const Json& value) {
  switch (shape) {
    case Shape::text:
      return unless(value.is_string(), "expected a string");
    case Shape::anchor:
      return unless(is_anchor(value), "expected a name of letters, digits, '-', '.' and '_'");
    case Shape::boolean:
      return unless(value.is_bool(), "expected true or false");
    case Shape::number:
      return unless(value.is_number(), "expected a number");
    case Shape::positive_number:
      return unless(value.is_number() && compare_numbers(value, Json(0)) > 0, "expected a number greater than 0");
    case Shape::count:
      return unless(is_count(value), "expected a whole number of at least 0");
    case Shape::type:
      return unless(is_type(value),
                    "expected one of null, boolean, integer, number, string, array, object, or an array of them");
    case Shape::texts:
      return unless(are_distinct_texts(value), "expected an array of distinct strings");
    case Shape::text_lists:
      return unless(all_members(value, are_distinct_texts),
                    "expected an object whose members are arrays of distinct strings");
    case Shape::values:
      return unless(value.is_array(), "expected an array");
    case Shape::vocabularies:
      return unless(all_members(value, [](const Json& used) { return used.is_bool(); }),
                    "expected an object of booleans");
    default:
      return wrong_applicator(shape, value);
  }
}

}  // namespace toolwire::schema
