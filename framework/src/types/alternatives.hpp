// Which alternative of a variant, or which enumerator, a JSON value stands for, judged without looking deep into it.
// Independent of how it is read then.
#pragma once

#include <cstddef>
#include <string>

#include "toolwire/detail/type_table.hpp"
#include "toolwire/json.hpp"

namespace toolwire::types {

/// The index of the enumerator, or their count.
std::size_t enumerator_for(const detail::EnumerationShape& shape, const Json& json);

/// Where in the variant the alternative for what is no struct stands, or its count. There is one at most, but a number
/// without a fraction may be of two.
std::size_t alternative_for(const detail::VariantShape& shape, const Json& json);

bool has_structs(const detail::VariantShape& shape);

/// Whether the value may be of that struct: what is required is there, nothing is unknown, and each member is of the
/// kind that it should be. False for other alternatives.
bool may_fit(const detail::Shape& alternative, const Json& json);

/// The struct that an object is meant to be: the only one that it may fit, or, where there is none, the only one of
/// which it has all that is required. Else the count of the variant.
std::size_t struct_meant(const detail::VariantShape& shape, const Json& json);

/// Whether structs that contain themselves lie in there.
bool leads_deeper(const detail::Shape& shape);

/// "expected an object with "radius" (a number), or an object with …": what each of the structs requires.
std::string expected_structs(const detail::VariantShape& shape);

}  // namespace toolwire::types
