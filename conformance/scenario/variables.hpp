// `${name}` in the strings of a scenario. A string that is nothing else becomes the value itself; within other text a
// string stands as it is, and anything else as JSON. `$${` is the text `${`.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <toolwire/json.hpp>

namespace toolwire::conformance {

/// The same with all variables replaced. Names of members stay. Throws std::out_of_range for one that is not there.
Json filled_in(const Json& value, const JsonObject& variables);
JsonObject filled_in(const JsonObject& object, const JsonObject& variables);
std::string filled_in(std::string_view text, const JsonObject& variables);

/// Calls `use` with each name. Throws std::invalid_argument where "${" begins none.
void for_each_variable(const Json& value, const std::function<void(std::string_view name)>& use);

/// Letters, digits and underscores, no digit first.
bool is_variable_name(std::string_view name);

}  // namespace toolwire::conformance
