// What a tool's schema says of its arguments: which is a text to repeat, which is a time to take. It calls nothing.
#pragma once

#include <optional>
#include <string>

#include <toolwire/json.hpp>

namespace toolwire::conformance {

/// The one argument that is required, if it is a text of any kind; else "".
std::string text_argument(const Json& schema);

/// The one argument that is required, if its schema takes any value; else "".
std::string argument_of_any_kind(const Json& schema);

/// Arguments with "<BYTES>" for the only argument there is, if it is a whole number, its name says that it is a size,
/// and it may be some thousands; else nothing.
std::optional<JsonObject> sized_arguments(const Json& schema);

/// Whether name or description say that the tool is an echo.
bool is_called_echo(const Json& tool);

/// Arguments with "<SECONDS>" or "<MILLISECONDS>" for the number that says how long to take, by its name, or by the
/// `description` of the tool or the argument where the name has no unit; it must admit what checks fill in, fractions
/// of a second and five seconds. Nothing if there is none.
std::optional<JsonObject> timed_arguments(const Json& schema, const Json& description);

/// `arguments`, or if there is such a number the same with little of it.
JsonObject quick_arguments(const Json& schema, const Json& description, const JsonObject& arguments);

}  // namespace toolwire::conformance
