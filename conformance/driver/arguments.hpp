// Values that fit a schema, so that tools without a profile can be called. It knows JSON Schema only.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <toolwire/json.hpp>

namespace toolwire::conformance {

/// The smallest object that fits: required members only, from `const`, `default`, `examples`, `enum`, else made of the
/// type's bounds; where that does not fit, as one of two is required, one with all members. Nothing if the schema asks
/// for more than this can make (the result is validated before it is given).
std::optional<JsonObject> arguments_for(const Json& schema);

/// The JSON text of arguments in which a value whose schema leads back to itself stands within itself so often.
/// Required members are made as above, those of `given` stand in the outermost object. Nothing if no schema leads back
/// to itself.
std::optional<std::string> deep_arguments(const Json& schema, std::size_t levels, const JsonObject& given = {});

/// Whether they fit the schema, or nobody can tell because it does not compile.
bool may_fit(const Json& schema, const JsonObject& arguments);

}  // namespace toolwire::conformance
