// Places in a JSON value: pointers as in RFC 6901, whose segment `*` stands for every element or member. Independent of
// messages.
#pragma once

#include <functional>
#include <string_view>
#include <toolwire/json.hpp>

namespace mutants {

/// Calls `look` with each value the pointer names.
void each(toolwire::Json& json, std::string_view pointer, const std::function<void(toolwire::Json&)>& look);
/// The first value the pointer names, or null.
const toolwire::Json* find(const toolwire::Json& json, std::string_view pointer);
/// Puts the value at every place the pointer names; members that are missing on the way are made. Elements of arrays
/// are replaced, or added where the last segment is `-`.
void set(toolwire::Json& json, std::string_view pointer, const toolwire::Json& value);
/// Takes away what the pointer names.
void remove(toolwire::Json& json, std::string_view pointer);

}  // namespace mutants
