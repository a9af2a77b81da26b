#include "toolwire/convert.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "types/decode_field.hpp"
#include "types/number.hpp"
#include "types/text_form.hpp"

namespace toolwire::detail {
namespace {

/// What the values are for. The bounds and initializers of members hold for arguments, where they are checked.
enum class Use { arguments, results, form };

JsonObject of_type(std::string_view type) { return {{"type", type}}; }

bool has_titles(const EnumerationShape& shape) {
  for (std::size_t i = 0; i < shape.count; ++i)
    if (!shape.text(i).title.empty()) return true;
  return false;
}

/// The enumerators as the specification has them where they have titles (client/elicitation).
JsonArray titled(const EnumerationShape& shape) {
  JsonArray choices;
  for (std::size_t i = 0; i < shape.count; ++i) {
    const auto [name, title] = shape.text(i);
    choices.emplace_back(JsonObject{{"const", name}, {"title", title.empty() ? name : title}});
  }
  return choices;
}

// A form has titles in the place of names, as its schema is the specification's; elsewhere they stand beside the names,
// for the many readers who know `enum` alone.
JsonObject enumeration_schema(const EnumerationShape& shape, Use use) {
  const bool is_titled = has_titles(shape);
  JsonObject out = of_type("string");
  if (!is_titled || use != Use::form) {
    JsonArray names;
    for (std::size_t i = 0; i < shape.count; ++i) names.emplace_back(shape.text(i).name);
    out["enum"] = std::move(names);
  }
  if (is_titled) out["oneOf"] = titled(shape);
  return out;
}

void add_number_limits(JsonObject& to, const NumberShape& shape, const FieldInfo& field) {
  if (types::has_minimum(field)) to["minimum"] = types::number_json(shape, field.minimum);
  if (types::has_maximum(field)) to["maximum"] = types::number_json(shape, field.maximum);
}

bool is_format_of_forms(std::string_view format) {
  return format == "date" || format == "date-time" || format == "email" || format == "uri";
}

// The schemas of forms have no patterns and four formats; answers are held to all of them.
void add_text_form(JsonObject& to, const FieldInfo& field, Use use) {
  try {
    types::check_text_form(field);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument("the member \"" + std::string(field.name) + "\": " + error.what());
  }
  if (!field.pattern.empty() && use != Use::form) to["pattern"] = field.pattern;
  if (!field.format.empty() && (use != Use::form || is_format_of_forms(field.format))) to["format"] = field.format;
}

void add_limits(JsonObject& to, const Shape& shape, const FieldInfo& field, Use use) {
  if (shape.kind == Kind::optional) {
    return add_limits(to, *static_cast<const OptionalShape&>(shape).content, field, use);
  }
  if (shape.kind == Kind::integer || shape.kind == Kind::real) {
    return add_number_limits(to, static_cast<const NumberShape&>(shape), field);
  }
  const bool is_text = shape.kind == Kind::string;
  if (field.min_size > 0) to[is_text ? "minLength" : "minItems"] = field.min_size;
  if (field.max_size < FieldInfo::unlimited) to[is_text ? "maxLength" : "maxItems"] = field.max_size;
  if (is_text) add_text_form(to, field, use);
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

JsonObject coded_schema(const CodedShape& shape) {
  Json given = shape.schema();
  if (!given.is_object()) throw std::invalid_argument("the schema of a Codec is no object");
  return std::move(given.get_object());
}

JsonObject integer_schema(const NumberShape& shape) {
  JsonObject out = of_type("integer");
  if (!shape.is_signed) out["minimum"] = 0;
  return out;
}

/// Makes one schema, with what it refers to. Lives on the stack meanwhile.
class SchemaMaker {
 public:
  explicit SchemaMaker(Use use) : use_(use) {}

  JsonObject root(const Shape& shape) {
    JsonObject out = schema(shape);
    if (!definitions_.empty()) out["$defs"] = std::move(definitions_);
    return out;
  }

 private:
  JsonObject schema(const Shape& shape);
  JsonObject any_of(const Shape* const* alternatives, std::size_t count);
  JsonObject list(const ListShape& shape);
  JsonObject tuple(const TupleShape& shape);
  JsonObject field(const FieldShape& field);
  JsonObject object(const ObjectShape& shape);
  JsonObject reference(const ReferenceShape& shape);
  std::string name_for(const ReferenceShape& shape) const;

  struct Defined {
    const ObjectShape* shape;
    std::string name;
  };
  const Use use_;
  std::vector<Defined> defined_;
  JsonObject definitions_;
};

JsonObject SchemaMaker::any_of(const Shape* const* alternatives, std::size_t count) {
  JsonArray different;
  for (std::size_t i = 0; i < count; ++i) {
    Json one = schema(*alternatives[i]);
    if (std::ranges::find(different, one) == different.end()) different.push_back(std::move(one));
  }
  if (different.size() == 1) return std::move(different.front().get_object());
  return {{"anyOf", std::move(different)}};
}

JsonObject SchemaMaker::list(const ListShape& shape) {
  JsonObject out = of_type("array");
  if (shape.kind == Kind::list && use_ == Use::form && shape.item->kind == Kind::enumeration) {
    const auto& choices = static_cast<const EnumerationShape&>(*shape.item);
    out["items"] = has_titles(choices) ? Json(JsonObject{{"anyOf", titled(choices)}}) : Json(schema(choices));
    return out;
  }
  out["items"] = schema(*shape.item);
  if (shape.kind == Kind::array) {
    out["minItems"] = shape.fixed_size;
    out["maxItems"] = shape.fixed_size;
  }
  return out;
}

// `items` says nothing to those who know `prefixItems`, as there are no further items; the others have it alone.
JsonObject SchemaMaker::tuple(const TupleShape& shape) {
  JsonObject out = of_type("array");
  JsonArray prefix;
  std::vector<const Shape*> items;
  for (std::size_t i = 0; i < shape.count; ++i) {
    prefix.emplace_back(schema(*shape.items[i].shape));
    items.push_back(shape.items[i].shape);
  }
  out["prefixItems"] = std::move(prefix);
  out["items"] = any_of(items.data(), items.size());
  out["minItems"] = shape.count;
  out["maxItems"] = shape.count;
  return out;
}

// Texts for people follow the type, before members that may be long.
JsonObject SchemaMaker::field(const FieldShape& field) {
  JsonObject plain = schema(*field.shape);
  JsonObject out;
  if (const Json* type = plain.if_contains("type")) out["type"] = *type;
  if (!field.title.empty()) out["title"] = field.title;
  if (!field.description.empty()) out["description"] = field.description;
  for (auto& [key, item] : plain) {
    if (key != "type") out[key] = std::move(item);
  }
  if (use_ != Use::results) add_limits(out, *field.shape, field, use_);
  return out;
}

JsonObject SchemaMaker::object(const ObjectShape& shape) {
  Properties properties{shape, {}};
  JsonArray required;
  for (const FieldShape& member : shape) {
    properties.schemas[member.name] = field(member);
    if (member.required) required.emplace_back(member.name);
  }
  if (use_ != Use::results && required.size() < shape.count) shape.with_default(&properties, &add_defaults);
  JsonObject out = of_type("object");
  out["properties"] = std::move(properties.schemas);
  if (!required.empty()) out["required"] = std::move(required);
  if (use_ != Use::form) out["additionalProperties"] = false;  // not part of the schemas elicitation allows
  return out;
}

/// The name of the type in letters and digits; numbered where several have the same.
std::string SchemaMaker::name_for(const ReferenceShape& shape) const {
  std::string name(shape.name);
  for (char& c : name) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!is_plain) c = '_';
  }
  const auto is_taken = [this](const std::string& wanted) {
    return std::ranges::any_of(defined_, [&](const Defined& other) { return other.name == wanted; });
  };
  if (!is_taken(name)) return name;
  std::size_t number = 2;
  while (is_taken(name + std::to_string(number))) ++number;
  return name + std::to_string(number);
}

JsonObject SchemaMaker::reference(const ReferenceShape& shape) {
  const ObjectShape& target = shape.target();
  auto known = std::ranges::find(defined_, &target, &Defined::shape);
  if (known == defined_.end()) {
    const std::string name = name_for(shape);
    defined_.push_back({&target, name});
    definitions_[name] = nullptr;  // keeps its place, in front of what it refers to
    definitions_[name] = object(target);
    return {{"$ref", "#/$defs/" + name}};
  }
  return {{"$ref", "#/$defs/" + known->name}};
}

JsonObject SchemaMaker::schema(const Shape& shape) {
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
      return enumeration_schema(static_cast<const EnumerationShape&>(shape), use_);
    case Kind::optional:
      return schema(*static_cast<const OptionalShape&>(shape).content);
    case Kind::list:
    case Kind::array:
      return list(static_cast<const ListShape&>(shape));
    case Kind::bit_list:
      return {{"type", "array"}, {"items", of_type("boolean")}};
    case Kind::tuple:
      return tuple(static_cast<const TupleShape&>(shape));
    case Kind::map:
      return {{"type", "object"}, {"additionalProperties", schema(*static_cast<const MapShape&>(shape).value)}};
    case Kind::variant:
      return any_of(static_cast<const VariantShape&>(shape).alternatives,
                    static_cast<const VariantShape&>(shape).count);
    case Kind::object:
      return object(static_cast<const ObjectShape&>(shape));
    case Kind::coded: {
      const auto& coded = static_cast<const CodedShape&>(shape);
      return coded.schema == nullptr ? schema(*coded.wire) : coded_schema(coded);
    }
    case Kind::reference:
      return reference(static_cast<const ReferenceShape&>(shape));
  }
  return {};
}

}  // namespace

Json schema_of(const Shape& shape) { return SchemaMaker(Use::arguments).root(shape); }

Json returned_schema_of(const Shape& shape) { return SchemaMaker(Use::results).root(shape); }

Json form_schema_of(const ObjectShape& shape) { return SchemaMaker(Use::form).root(shape); }

}  // namespace toolwire::detail
