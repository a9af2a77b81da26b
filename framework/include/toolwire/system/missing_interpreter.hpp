// What the system does not say of a script that it cannot start.
#pragma once

#include <optional>
#include <string>

namespace toolwire::system {

/// "there is no /usr/bin/python9, which its first line names", of a script whose interpreter is missing: the system
/// says then that the script is. The name is as it stands there, with the carriage return that the line may end with.
/// No value for what is no script, or cannot be read.
std::optional<std::string> missing_interpreter(const std::string& file);

}  // namespace toolwire::system
