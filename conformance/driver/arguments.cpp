#include "driver/arguments.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include <toolwire/schema.hpp>

#include "driver/message.hpp"

namespace toolwire::conformance {
namespace {

constexpr int deepest = 16;
constexpr double longest_text = 1e6;

Json value_for(const Json& root, const Json& unresolved, int depth);

/// A reference within the document; anything else is left as it is.
const Json& resolved(const Json& root, const Json& schema) {
  const std::string_view reference = text_of(get(schema, "$ref"));
  if (!reference.starts_with("#")) return schema;
  boost::system::error_code error;
  const Json* target = root.find_pointer(reference.substr(1), error);
  return target != nullptr ? *target : schema;
}

double number_or(const Json& value, double otherwise) {
  return value.is_number() ? value.to_number<double>() : otherwise;
}

Json number_for(const Json& schema, bool whole) {
  const double step = number_or(get(schema, "multipleOf"), whole ? 1.0 : 0.0);
  double value = number_or(get(schema, "minimum"), 1.0);
  value = std::max(value, number_or(get(schema, "exclusiveMinimum"), value - 1.0) + (whole ? 1.0 : 0.5));
  value = std::min(value, number_or(get(schema, "maximum"), value));
  if (const Json& below = get(schema, "exclusiveMaximum"); below.is_number())
    value = std::min(value, below.to_number<double>() - (whole ? 1.0 : 0.5));
  if (step > 0) value = std::ceil(value / step) * step;
  return whole ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

Json string_for(const Json& schema) {
  const std::string_view format = text_of(get(schema, "format"));
  if (format == "email") return "someone@example.com";
  if (format == "uri" || format == "url") return "https://example.com/";
  if (format == "date") return "2025-01-31";
  if (format == "date-time") return "2025-01-31T12:00:00Z";
  if (format == "time") return "12:00:00Z";
  if (format == "uuid") return "123e4567-e89b-42d3-a456-426614174000";
  std::string text = "text";
  const auto shortest = static_cast<std::size_t>(std::clamp(number_or(get(schema, "minLength"), 0), 0.0, longest_text));
  const auto longest =
      static_cast<std::size_t>(std::clamp(number_or(get(schema, "maxLength"), longest_text), 0.0, longest_text));
  while (text.size() < shortest) text += "x";
  if (text.size() > longest) text.resize(longest);
  return Json(text);
}

Json array_for(const Json& root, const Json& schema, int depth) {
  JsonArray array;
  const auto fewest = static_cast<std::size_t>(number_or(get(schema, "minItems"), 0));
  while (array.size() < fewest && array.size() < 1000) array.push_back(value_for(root, get(schema, "items"), depth));
  return array;
}

Json object_for(const Json& root, const Json& schema, int depth) {
  JsonObject object;
  if (const JsonArray* required = get(schema, "required").if_array()) {
    for (const Json& name : *required) {
      if (name.is_string())
        object[name.get_string()] = value_for(root, get(schema, "properties", text_of(name)), depth);
    }
  }
  return object;
}

std::string_view type_of(const Json& schema) {
  const Json& type = get(schema, "type");
  if (type.is_array() && !type.get_array().empty()) return text_of(type.get_array().front());
  if (type.is_string()) return text_of(type);
  return get(schema, "properties").is_object() || get(schema, "required").is_array() ? "object" : "string";
}

Json value_for(const Json& root, const Json& unresolved, int depth) {
  const Json& schema = resolved(root, unresolved);
  if (depth > deepest) return nullptr;
  const JsonObject* members = schema.if_object();
  if (members != nullptr && members->contains("const")) return members->at("const");
  if (members != nullptr && members->contains("default")) return members->at("default");
  for (std::string_view list : {"examples", "enum"}) {
    const JsonArray* values = get(schema, list).if_array();
    if (values != nullptr && !values->empty()) return values->front();
  }
  for (std::string_view choice : {"oneOf", "anyOf", "allOf"}) {
    const JsonArray* schemas = get(schema, choice).if_array();
    if (schemas != nullptr && !schemas->empty() && get(schema, "type").is_null())
      return value_for(root, schemas->front(), depth + 1);
  }
  const std::string_view type = type_of(schema);
  if (type == "object") return object_for(root, schema, depth + 1);
  if (type == "array") return array_for(root, schema, depth + 1);
  if (type == "integer" || type == "number") return number_for(schema, type == "integer");
  if (type == "boolean") return true;
  return type == "null" ? Json(nullptr) : string_for(schema);
}

/// `object` with a value for each property of the schema.
JsonObject all_members(const Json& schema, JsonObject object) {
  const JsonObject* properties = get(schema, "properties").if_object();
  for (const auto& [name, property] : properties != nullptr ? *properties : JsonObject{}) {
    if (!object.contains(name)) object[name] = value_for(schema, property, 0);
  }
  return object;
}

}  // namespace

std::optional<JsonObject> arguments_for(const Json& schema) {
  Json least = value_for(schema, schema, 0);
  if (!least.is_object()) return std::nullopt;
  try {
    const Schema compiled = Schema::compile(schema, {.unsupported_pattern = UnsupportedPattern::annotate});
    if (compiled.is_valid(least)) return std::move(least.get_object());
    Json most = all_members(schema, least.get_object());  // as where one of two is required
    if (compiled.is_valid(most)) return std::move(most.get_object());
  } catch (const SchemaError&) {
    return std::nullopt;  // the schema does not compile: the lint reports it
  }
  return std::nullopt;
}

bool may_fit(const Json& schema, const JsonObject& arguments) {
  try {
    return Schema::compile(schema, {.unsupported_pattern = UnsupportedPattern::annotate}).is_valid(Json(arguments));
  } catch (const SchemaError&) {
    return true;
  }
}

}  // namespace toolwire::conformance
