// Numbers of every C++ type, in and out of objects whose type is known only by its table. Independent of limits and
// messages.
#pragma once

#include <limits>
#include <optional>

#include "toolwire/detail/type_table.hpp"
#include "toolwire/json.hpp"

namespace toolwire::types {

/// The number at `object`, exactly (see FieldInfo for why a long double).
long double load_number(const detail::NumberShape& shape, const void* object);

/// Stores `value`, which lies between the shape's lowest and highest and is whole for an integer.
void store_number(const detail::NumberShape& shape, void* object, long double value);

/// `value` of a type as JSON has it: a float becomes the double that is written with the same digits (0.1f as 0.1).
/// What is infinite stays so.
long double as_written(const detail::NumberShape& shape, long double value);

/// Whether it lies between the lowest and the highest of a type, as these are written.
bool has_value(const detail::NumberShape& shape, long double value);

/// The JSON number for `value` of a type.
Json number_json(const detail::NumberShape& shape, long double value);

/// The number in `json`, exactly; empty when it is not a number.
std::optional<long double> number_in(const Json& json);

/// Whether a member has such a bound. As a double: a compiler asks for the infinity of a long double by comparing with
/// the largest of them, which valgrind, whose long doubles are doubles, takes for infinity, too.
inline bool has_minimum(const FieldInfo& field) {
  return static_cast<double>(field.minimum) != -std::numeric_limits<double>::infinity();
}
inline bool has_maximum(const FieldInfo& field) {
  return static_cast<double>(field.maximum) != std::numeric_limits<double>::infinity();
}

}  // namespace toolwire::types
