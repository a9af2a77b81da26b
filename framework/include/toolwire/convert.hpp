// From JSON to C++ values and back, derived from describe(). Independent of calls and replies, and holds no code that
// does not depend on the user's type.
#pragma once

#include <cstddef>
#include <string>

#include "toolwire/detail/type_table_of.hpp"
#include "toolwire/detail/violations.hpp"
#include "toolwire/json.hpp"

namespace toolwire {
namespace detail {

// Follows the tables; structs do not contain themselves, so it ends.
constexpr bool holds_view(const Shape& shape) {
  switch (shape.kind) {
    case Kind::string_view:
      return true;
    case Kind::optional:
      return holds_view(*static_cast<const OptionalShape&>(shape).content);
    case Kind::list:
    case Kind::array:
      return holds_view(*static_cast<const ListShape&>(shape).item);
    case Kind::map:
      return holds_view(*static_cast<const MapShape&>(shape).value);
    case Kind::variant:
      for (std::size_t i = 0; i < static_cast<const VariantShape&>(shape).count; ++i)
        if (holds_view(*static_cast<const VariantShape&>(shape).alternatives[i])) return true;
      return false;
    case Kind::object:
      for (const FieldShape& field : static_cast<const ObjectShape&>(shape))
        if (holds_view(*field.shape)) return true;
      return false;
    default:
      return false;
  }
}

void decode(const Shape& shape, const Json& json, void* out, const std::string& path, Violations& violations);
Json encode(const Shape& shape, const void* value);

}  // namespace detail

/// Reads `json` into `out`, which holds its initializers: what is left out keeps them. Adds every violation, with its
/// path below `path`, to `violations`; if there are any, `out` is incomplete. A whole number may be written as 1.0.
/// Members that are not described are violations. Null for a member that may be absent counts as absent.
template <class T>
void decode(const Json& json, T& out, const std::string& path, Violations& violations) {
  static_assert(
      !detail::holds_view(detail::ShapeOf<T>::value),
      "toolwire: a std::string_view cannot be read from JSON, as nothing would own its text; use std::string");
  detail::decode(detail::ShapeOf<T>::value, json, &out, path, violations);
}

/// The JSON of a value; empty optionals are left out. Throws std::invalid_argument for what JSON cannot express: NaN,
/// an infinity, a value of an enum class that has no name.
template <class T>
Json encode(const T& value) {
  return detail::encode(detail::ShapeOf<T>::value, &value);
}

}  // namespace toolwire
