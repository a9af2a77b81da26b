// Values that fit a schema, so that tools without a profile can be called. It knows JSON Schema only.
#pragma once

#include <optional>

#include <toolwire/json.hpp>

namespace toolwire::conformance {

/// The smallest object that fits: required members only, from `const`, `default`, `examples`, `enum`, else made of the
/// type's bounds; where that does not fit, as one of two is required, one with all members. Nothing if the schema asks
/// for more than this can make (the result is validated before it is given).
std::optional<JsonObject> arguments_for(const Json& schema);

/// Whether they fit the schema, or nobody can tell because it does not compile.
bool may_fit(const Json& schema, const JsonObject& arguments);

}  // namespace toolwire::conformance
