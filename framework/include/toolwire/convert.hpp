// From JSON to C++ values and back, derived from describe().
// Knows nothing of calls or replies, and holds no code that does not depend on the user's type.
#pragma once

#include <string>

#include "toolwire/json.hpp"
#include "toolwire/shape_of.hpp"
#include "toolwire/violations.hpp"

namespace toolwire {
namespace detail {

void decode(const Shape& shape, const Json& json, void* out, const std::string& path, Violations& violations);
Json encode(const Shape& shape, const void* value);

}  // namespace detail

/// Reads `json` into `out`, which holds its initializers: what is left out keeps them. Adds every violation, with its
/// path below `path`, to `violations`; if there are any, `out` is incomplete. A whole number may be written as 1.0.
/// Members that are not described are violations. Null for a member that may be absent counts as absent.
template <class T>
void decode(const Json& json, T& out, const std::string& path, Violations& violations) {
  detail::decode(detail::ShapeOf<T>::value, json, &out, path, violations);
}

/// The JSON of a value; empty optionals are left out. Throws std::invalid_argument for what JSON cannot express: NaN,
/// an infinity, a value of an enum class that has no name.
template <class T>
Json encode(const T& value) {
  return detail::encode(detail::ShapeOf<T>::value, &value);
}

}  // namespace toolwire
