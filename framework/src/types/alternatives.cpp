#include "types/alternatives.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "types/number.hpp"
#include "types/phrases.hpp"

namespace toolwire::types {

using detail::as_written;
using detail::CodedShape;
using detail::EnumerationShape;
using detail::FieldShape;
using detail::ItemShape;
using detail::Kind;
using detail::ListShape;
using detail::MapShape;
using detail::NumberShape;
using detail::ObjectShape;
using detail::OptionalShape;
using detail::Shape;
using detail::TupleShape;
using detail::VariantShape;

namespace {

const ObjectShape* struct_in(const Shape& alternative) {
  const Shape& written = as_written(alternative);
  return written.kind == Kind::object ? static_cast<const ObjectShape*>(&written) : nullptr;
}

bool has_required(const ObjectShape& shape, const JsonObject& given) {
  return std::all_of(shape.begin(), shape.end(),
                     [&](const FieldShape& field) { return !field.required || given.contains(field.name); });
}

/// Whether the value is of the kind that it should be.
bool is_of_kind(const Shape& shape, const Json& json) {
  switch (shape.kind) {
    case Kind::boolean:
      return json.is_bool();
    case Kind::integer:
    case Kind::real:
      return json.is_number();
    case Kind::string:
      return json.is_string();
    case Kind::enumeration: {
      const auto& enumeration = static_cast<const EnumerationShape&>(shape);
      return enumerator_for(enumeration, json) < enumeration.count;
    }
    case Kind::optional:
      return json.is_null() || is_of_kind(*static_cast<const OptionalShape&>(shape).content, json);
    case Kind::list:
    case Kind::bit_list:
    case Kind::array:
    case Kind::tuple:
      return json.is_array();
    case Kind::map:
    case Kind::object:
      return json.is_object();
    case Kind::coded:
    case Kind::reference:
      return is_of_kind(as_written(shape), json);
    default:
      return true;
  }
}

bool has_members_of(const ObjectShape& shape, const JsonObject& given) {
  std::size_t known = 0;
  for (const FieldShape& field : shape) {
    const Json* member = given.if_contains(field.name);
    if (member == nullptr) continue;
    ++known;
    if (!(member->is_null() && !field.required) && !is_of_kind(*field.shape, *member)) return false;
  }
  return known == given.size();
}

/// The only alternative of which `is_so`, or their count.
template <class IsSo>
std::size_t only_one(const VariantShape& shape, IsSo is_so) {
  std::size_t found = shape.count;
  for (std::size_t i = 0; i < shape.count; ++i) {
    if (!is_so(*shape.alternatives[i])) continue;
    if (found < shape.count) return shape.count;
    found = i;
  }
  return found;
}

}  // namespace

std::size_t enumerator_for(const EnumerationShape& shape, const Json& json) {
  const JsonString* given = json.if_string();
  if (given == nullptr) return shape.count;
  std::size_t index = 0;
  while (index < shape.count && shape.text(index).name != std::string_view(given->data(), given->size())) ++index;
  return index;
}

std::size_t alternative_for(const VariantShape& shape, const Json& json) {
  std::size_t found = shape.count;
  for (std::size_t i = 0; i < shape.count; ++i) {
    const Shape& alternative = as_written(*shape.alternatives[i]);
    switch (alternative.kind) {
      case Kind::boolean:
        if (json.is_bool()) return i;
        break;
      case Kind::integer: {
        const auto number = number_in(json);
        const auto& range = static_cast<const NumberShape&>(alternative);
        if (!number) break;
        if (*number == std::trunc(*number) && *number >= range.lowest && *number <= range.highest) return i;
        if (found == shape.count) found = i;
        break;
      }
      case Kind::real:
        if (json.is_number()) found = i;
        break;
      case Kind::string:
      case Kind::enumeration:
        if (json.is_string()) return i;
        break;
      case Kind::list:
      case Kind::bit_list:
      case Kind::array:
      case Kind::tuple:
        if (json.is_array()) return i;
        break;
      case Kind::map:
        if (json.is_object()) return i;
        break;
      default:
        break;
    }
  }
  return found;
}

bool has_structs(const VariantShape& shape) {
  return std::any_of(shape.alternatives, shape.alternatives + shape.count,
                     [](const Shape* alternative) { return struct_in(*alternative) != nullptr; });
}

bool may_fit(const Shape& alternative, const Json& json) {
  const ObjectShape* const structure = struct_in(alternative);
  const JsonObject* const given = json.if_object();
  return structure != nullptr && given != nullptr && has_required(*structure, *given) &&
         has_members_of(*structure, *given);
}

std::size_t struct_meant(const VariantShape& shape, const Json& json) {
  const auto fits = [&](const Shape& alternative) { return may_fit(alternative, json); };
  if (std::any_of(shape.alternatives, shape.alternatives + shape.count, [&](const Shape* one) { return fits(*one); }))
    return only_one(shape, fits);
  return only_one(shape, [&](const Shape& alternative) {
    const ObjectShape* const structure = struct_in(alternative);
    return structure != nullptr && has_required(*structure, json.get_object());
  });
}

bool leads_deeper(const Shape& shape) {
  switch (shape.kind) {
    case Kind::reference:
      return true;
    case Kind::optional:
      return leads_deeper(*static_cast<const OptionalShape&>(shape).content);
    case Kind::list:
    case Kind::array:
      return leads_deeper(*static_cast<const ListShape&>(shape).item);
    case Kind::map:
      return leads_deeper(*static_cast<const MapShape&>(shape).value);
    case Kind::coded:
      return leads_deeper(*static_cast<const CodedShape&>(shape).wire);
    case Kind::tuple: {
      const auto& tuple = static_cast<const TupleShape&>(shape);
      return std::any_of(tuple.items, tuple.items + tuple.count,
                         [](const ItemShape& item) { return leads_deeper(*item.shape); });
    }
    case Kind::variant: {
      const auto& variant = static_cast<const VariantShape&>(shape);
      return std::any_of(variant.alternatives, variant.alternatives + variant.count,
                         [](const Shape* alternative) { return leads_deeper(*alternative); });
    }
    case Kind::object: {
      const auto& object = static_cast<const ObjectShape&>(shape);
      return std::any_of(object.begin(), object.end(),
                         [](const FieldShape& field) { return leads_deeper(*field.shape); });
    }
    default:
      return false;
  }
}

std::string expected_structs(const VariantShape& shape) {
  std::string expected;
  for (std::size_t i = 0; i < shape.count; ++i) {
    const ObjectShape* const structure = struct_in(*shape.alternatives[i]);
    if (structure != nullptr) expected += (expected.empty() ? "expected " : ", or ") + required_phrase(*structure);
  }
  return expected;
}

}  // namespace toolwire::types
