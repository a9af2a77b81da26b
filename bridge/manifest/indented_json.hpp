// JSON for people to read. Independent of what it says.
#pragma once

#include <string>

#include <toolwire/json.hpp>

namespace toolwire::bridge {

/// The value over several lines, two blanks a level; lists of numbers and short texts stay on one line.
/// Throws as `to_json_text`.
std::string indented_json(const Json& value);

}  // namespace toolwire::bridge
