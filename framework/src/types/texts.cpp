#include "toolwire/detail/texts.hpp"

#include <string_view>

namespace toolwire::detail {
namespace {

const Shape& content_of(const Shape& shape) {
  if (shape.kind == Kind::optional) return content_of(*static_cast<const OptionalShape&>(shape).content);
  return as_written(shape);
}

/// The parsed value, or the text itself if it cannot be parsed: the decoder then says what was expected.
Json typed(const Shape& shape, const Json& text) {
  const bool is_number = shape.kind == Kind::integer || shape.kind == Kind::real;
  if (!text.is_string() || (!is_number && shape.kind != Kind::boolean)) return text;
  try {
    Json value = parse_json(std::string_view(text.get_string()), {.max_values = usual_json_values});
    if (shape.kind == Kind::boolean ? value.is_bool() : value.is_number()) return value;
  } catch (const JsonError&) {
  }
  return text;
}

}  // namespace

Json typed_texts(const ObjectShape& shape, const Json& texts) {
  if (!texts.is_object()) return texts;
  JsonObject object = texts.get_object();
  for (const FieldShape& field : shape) {
    if (Json* member = object.if_contains(field.name)) *member = typed(content_of(*field.shape), *member);
  }
  return object;
}

}  // namespace toolwire::detail
