// What of a call's arguments must not be written down. Knows names and schemas, no tools.
#pragma once

#include <string>
#include <vector>

#include <toolwire/json.hpp>
#include <toolwire/redact.hpp>

namespace toolwire::bridge {

/// The arguments as JSON text without secrets: members whose names say so, and properties that the schema marks
/// `writeOnly` or `format: password`.
std::string without_secrets(const Json& arguments, const Json& input_schema);

/// The strings that `without_secrets` leaves out, longest first; those so short that they are in every text are not
/// among them.
std::vector<std::string> secrets_in(const Json& arguments, const Json& input_schema);

}  // namespace toolwire::bridge
