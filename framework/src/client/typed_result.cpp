#include "toolwire/detail/typed_result.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "toolwire/client.hpp"
#include "toolwire/detail/type_table.hpp"
#include "toolwire/detail/violations.hpp"

namespace toolwire::detail {
namespace {

[[noreturn]] void refuse(std::string_view tool, const std::string& why) {
  throw UnexpectedResult("the result" + (tool.empty() ? "" : " of \"" + std::string(tool) + "\"") +
                         " is not what was expected: " + why);
}

Json known_part(const Shape& shape, const Json& given);

bool describes(const ObjectShape& shape, std::string_view name) {
  return std::any_of(shape.begin(), shape.end(), [&](const FieldShape& field) { return field.name == name; });
}

JsonObject known_members(const ObjectShape& shape, const JsonObject& given) {
  JsonObject known;
  for (const FieldShape& field : shape)
    if (const Json* const member = given.if_contains(field.name)) known[field.name] = known_part(*field.shape, *member);
  return known;
}

/// What one of the structs describes: which of them is meant shows when they are read.
JsonObject known_members(const VariantShape& shape, const JsonObject& given) {
  JsonObject known;
  for (const auto& member : given) {
    const bool is_known =
        std::any_of(shape.alternatives, shape.alternatives + shape.count, [&](const Shape* alternative) {
          const Shape& other = as_written(*alternative);
          return other.kind == Kind::object && describes(static_cast<const ObjectShape&>(other), member.key());
        });
    if (is_known) known[member.key()] = member.value();
  }
  return known;
}

/// The one alternative that is a list, or a map, for what is one; else the structs.
Json known_part(const VariantShape& shape, const Json& given) {
  for (std::size_t i = 0; i < shape.count; ++i) {
    const Kind kind = as_written(*shape.alternatives[i]).kind;
    const bool is_list = kind == Kind::list || kind == Kind::array || kind == Kind::tuple;
    if ((is_list && given.is_array()) || (kind == Kind::map && given.is_object())) {
      return known_part(*shape.alternatives[i], given);
    }
  }
  return given.is_object() ? Json(known_members(shape, given.get_object())) : given;
}

JsonObject known_values(const MapShape& shape, const JsonObject& given) {
  JsonObject known;
  for (const auto& [name, member] : given) known[name] = known_part(*shape.value, member);
  return known;
}

JsonArray known_items(const ListShape& shape, const JsonArray& given) {
  JsonArray known;
  for (const Json& item : given) known.push_back(known_part(*shape.item, item));
  return known;
}

JsonArray known_items(const TupleShape& shape, const JsonArray& given) {
  JsonArray known;
  for (std::size_t i = 0; i < given.size(); ++i) {
    known.push_back(i < shape.count ? known_part(*shape.items[i].shape, given[i]) : given[i]);
  }
  return known;
}

/// Without the members that no struct in `shape` describes: a later version of the server may have more.
Json known_part(const Shape& shape, const Json& given) {
  const JsonObject* const object = given.if_object();
  const JsonArray* const array = given.if_array();
  switch (shape.kind) {
    case Kind::optional:
      return known_part(*static_cast<const OptionalShape&>(shape).content, given);
    case Kind::coded:
    case Kind::reference:
      return known_part(as_written(shape), given);
    case Kind::object:
      return object == nullptr ? given : known_members(static_cast<const ObjectShape&>(shape), *object);
    case Kind::variant:
      return known_part(static_cast<const VariantShape&>(shape), given);
    case Kind::tuple:
      return array == nullptr ? given : known_items(static_cast<const TupleShape&>(shape), *array);
    case Kind::map:
      return object == nullptr ? given : known_values(static_cast<const MapShape&>(shape), *object);
    case Kind::list:
    case Kind::array:
      return array == nullptr ? given : known_items(static_cast<const ListShape&>(shape), *array);
    default:
      return given;
  }
}

/// Texts that are no JSON are values, too: an enumerator is sent as its name.
Json value_in_text(const CallResult& result, std::string_view tool) {
  std::string text = result.text();
  if (text.empty()) refuse(tool, "it has neither structured content nor text");
  try {
    return parse_json(text, {.max_values = usual_json_values});
  } catch (const JsonError&) {
    return Json(text);
  }
}

/// Whether {"result": …} holds the value, and is not the value.
bool is_holding(const Shape& shape, const JsonObject& given) {
  const Json* const held = given.if_contains("result");
  if (held == nullptr) return false;
  return shape.kind != Kind::map || (given.size() == 1 && held->is_object());
}

/// What the tool has returned, out of what it was sent in.
Json returned_value(const Shape& shape, Json sent) {
  const JsonObject* const object = sent.if_object();
  if (object == nullptr || shape.kind == Kind::object) return sent;
  if (is_holding(shape, *object)) return object->at("result");
  if (shape.kind == Kind::optional && object->empty()) return nullptr;
  return sent;
}

}  // namespace

void require_success(const CallResult& result, std::string_view) {
  if (result.is_error) throw CallFailed(result);
}

std::string text_of_result(const CallResult& result, std::string_view tool) {
  require_success(result, tool);
  if (!result.content.empty()) return result.text();
  std::string text;
  read_result(result, tool, ShapeOf<std::string>::value, &text);
  return text;
}

Json json_of_result(const CallResult& result, std::string_view tool) {
  require_success(result, tool);
  if (!result.structured) refuse(tool, "it has no structured content; its text: " + result.text());
  return *result.structured;
}

void read_result(const CallResult& result, std::string_view tool, const Shape& shape, void* out) {
  require_success(result, tool);
  const std::string source = result.structured ? "" : "\n(it has no structured content, so its text was read)";
  const Json given = returned_value(shape, result.structured ? *result.structured : value_in_text(result, tool));
  if (shape.kind == Kind::object && !given.is_object()) refuse(tool, "expected an object" + source);
  Violations violations;
  decode(shape, known_part(shape, given), out, shape.kind == Kind::object ? "" : "result", violations);
  if (!violations.empty()) refuse(tool, violations.text() + source);
}

}  // namespace toolwire::detail
