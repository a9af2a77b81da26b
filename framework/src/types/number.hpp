// Numbers of every C++ type, in and out of objects whose type is known only by its table. Independent of limits and
// messages.
#pragma once

#include <optional>

#include "toolwire/detail/type_table.hpp"
#include "toolwire/json.hpp"

namespace toolwire::types {

/// The number at `object`, exactly (see FieldInfo for why a long double).
long double load_number(const detail::NumberShape& shape, const void* object);

/// Stores `value`, which lies between the shape's lowest and highest and is whole for an integer.
void store_number(const detail::NumberShape& shape, void* object, long double value);

/// The JSON number for `value` of a type; a float becomes the double that is written with the same digits (0.1f as
/// 0.1).
Json number_json(const detail::NumberShape& shape, long double value);

/// The number in `json`, exactly; empty when it is not a number.
std::optional<long double> number_in(const Json& json);

}  // namespace toolwire::types
