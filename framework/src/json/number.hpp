// Converts the text of a number to a double. Independent of values; the parser reads integers itself.
#pragma once

#include <optional>
#include <string_view>

namespace toolwire::json {

/// The double nearest to a number in JSON's grammar; zero, with its sign, when it is too small for a double. Nothing
/// when it is too large: infinity would not survive being written.
std::optional<double> nearest_double(std::string_view text);

}  // namespace toolwire::json
