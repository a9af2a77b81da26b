// What the system does not say of a script that it cannot start.
#pragma once

#include <optional>
#include <string>

namespace toolwire::system {

/// The interpreter that the first line of this file names, if there is no such file: the system says then that the
/// script is missing. As it stands there, with the carriage return that the line may end with. No value for what is no
/// script, or cannot be read.
std::optional<std::string> missing_interpreter(const std::string& file);

}  // namespace toolwire::system
