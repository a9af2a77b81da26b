#include "toolwire/convert.hpp"

#include <stdexcept>
#include <utility>

#include "types/decode_field.hpp"
#include "types/number.hpp"

namespace toolwire::detail {
namespace {

/// What the values are for. The bounds and initializers of members hold for arguments, where they are checked.
enum class Use { arguments, results };

JsonObject schema(const Shape& shape, Use use);

JsonObject of_type(std::string_view type) { return {{"type", type}}; }

JsonObject enumeration_schema(const EnumerationShape& shape) {
  JsonArray names;
  for (std::size_t i = 0; i < shape.count; ++i) names.emplace_back(shape.name(i));
  return {{"type", "string"}, {"enum", std::move(names)}};
}

JsonObject variant_schema(const VariantShape& shape, Use use) {
  JsonArray alternatives;
  for (std::size_t i = 0; i < shape.count; ++i) alternatives.emplace_back(schema(*shape.alternatives[i], use));
  return {{"anyOf", std::move(alternatives)}};
}

void add_number_limits(JsonObject& to, const NumberShape& shape, const FieldInfo& field) {
  if (field.minimum != -FieldInfo::unbounded) to["minimum"] = types::number_json(shape, field.minimum);
  if (field.maximum != FieldInfo::unbounded) to["maximum"] = types::number_json(shape, field.maximum);
}

void add_limits(JsonObject& to, const Shape& shape, const FieldInfo& field) {
  if (shape.kind == Kind::optional) return add_limits(to, *static_cast<const OptionalShape&>(shape).content, field);
  if (shape.kind == Kind::integer || shape.kind == Kind::real) {
    return add_number_limits(to, static_cast<const NumberShape&>(shape), field);
  }
  const bool is_text = shape.kind == Kind::string;
  if (field.min_size > 0) to[is_text ? "minLength" : "minItems"] = field.min_size;
  if (field.max_size < FieldInfo::unlimited) to[is_text ? "maxLength" : "maxItems"] = field.max_size;
}

// Texts for people follow the type, before members that may be long.
JsonObject field_schema(const FieldShape& field, Use use) {
  JsonObject plain = schema(*field.shape, use);
  JsonObject out;
  if (const Json* type = plain.if_contains("type")) out["type"] = *type;
  if (!field.title.empty()) out["title"] = field.title;
  if (!field.description.empty()) out["description"] = field.description;
  for (auto& [key, item] : plain) {
    if (key != "type") out[key] = std::move(item);
  }
  if (use == Use::arguments) add_limits(out, *field.shape, field);
  return out;
}

struct Properties {
  const ObjectShape& shape;
  JsonObject schemas;
};

// The initializer of a member is checked like an argument, so that no `default` is published that would be refused.
void add_default(JsonObject& to, const FieldShape& field, void* owner) {
  Json value = encode(*field.shape, field.member(owner));
  if (value.is_null()) return;
  Violations violations;
  decode_field(field, value, owner, violations);
  if (!violations.empty()) {
    throw std::invalid_argument("the initializer of an optional member breaks its own limits: " + violations.text());
  }
  to["default"] = std::move(value);
}

void add_defaults(void* context, void* owner) {
  auto& properties = *static_cast<Properties*>(context);
  for (const FieldShape& field : properties.shape) {
    if (!field.required) add_default(properties.schemas[field.name].as_object(), field, owner);
  }
}

JsonObject object_schema(const ObjectShape& shape, Use use) {
  Properties properties{shape, {}};
  JsonArray required;
  for (const FieldShape& field : shape) {
    properties.schemas[field.name] = field_schema(field, use);
    if (field.required) required.emplace_back(field.name);
  }
  if (use == Use::arguments && required.size() < shape.count) shape.with_default(&properties, &add_defaults);
  JsonObject out = of_type("object");
  out["properties"] = std::move(properties.schemas);
  if (!required.empty()) out["required"] = std::move(required);
  out["additionalProperties"] = false;
  return out;
}

JsonObject list_schema(const ListShape& shape, Use use) {
  JsonObject out = of_type("array");
  out["items"] = schema(*shape.item, use);
  if (shape.kind == Kind::array) {
    out["minItems"] = shape.fixed_size;
    out["maxItems"] = shape.fixed_size;
  }
  return out;
}

JsonObject coded_schema(const CodedShape& shape, Use use) {
  if (shape.schema == nullptr) return schema(*shape.wire, use);
  Json given = shape.schema();
  if (!given.is_object()) throw std::invalid_argument("the schema of a Codec is no object");
  return std::move(given.get_object());
}

JsonObject integer_schema(const NumberShape& shape) {
  JsonObject out = of_type("integer");
  if (!shape.is_signed) out["minimum"] = 0;
  return out;
}

JsonObject schema(const Shape& shape, Use use) {
  switch (shape.kind) {
    case Kind::boolean:
      return of_type("boolean");
    case Kind::integer:
      return integer_schema(static_cast<const NumberShape&>(shape));
    case Kind::real:
      return of_type("number");
    case Kind::string:
    case Kind::string_view:
      return of_type("string");
    case Kind::any:
      break;
    case Kind::enumeration:
      return enumeration_schema(static_cast<const EnumerationShape&>(shape));
    case Kind::optional:
      return schema(*static_cast<const OptionalShape&>(shape).content, use);
    case Kind::list:
    case Kind::array:
      return list_schema(static_cast<const ListShape&>(shape), use);
    case Kind::bit_list:
      return {{"type", "array"}, {"items", of_type("boolean")}};
    case Kind::map:
      return {{"type", "object"}, {"additionalProperties", schema(*static_cast<const MapShape&>(shape).value, use)}};
    case Kind::variant:
      return variant_schema(static_cast<const VariantShape&>(shape), use);
    case Kind::object:
      return object_schema(static_cast<const ObjectShape&>(shape), use);
    case Kind::coded:
      return coded_schema(static_cast<const CodedShape&>(shape), use);
  }
  return {};
}

}  // namespace

Json schema_of(const Shape& shape) { return schema(shape, Use::arguments); }

Json returned_schema_of(const Shape& shape) { return schema(shape, Use::results); }

Json form_schema_of(const ObjectShape& shape) {
  JsonObject form = object_schema(shape, Use::arguments);
  form.erase("additionalProperties");  // not part of the schemas elicitation allows
  return form;
}

}  // namespace toolwire::detail
