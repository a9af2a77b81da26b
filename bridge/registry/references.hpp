// Moves JSON Schemas into other documents without their references losing what they point at. Takes values, returns
// values; compiles nothing.
#pragma once

#include <string>
#include <string_view>

#include <toolwire/json.hpp>

namespace toolwire::bridge {

/// The schema as it must read when its root stands at `place` ("#/properties/result") of another document: local
/// references ("#", "#/…") lead below `place`. Subschemas with an `$id` keep theirs, which are relative to it.
Json moved_schema(const Json& schema, std::string_view place);

/// Whether a local reference below `prefix` ("#/$defs/") occurs.
bool refers_below(const Json& schema, std::string_view prefix);

}  // namespace toolwire::bridge
