// The arguments this process was started with, for programs whose main does not pass them on.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace toolwire::server {

/// All arguments, the program first; nothing if the system does not tell, or the list belongs to another program: under
/// an interpreter, a loader or an emulator it begins with the arguments of that one.
std::optional<std::vector<std::string>> process_arguments();

/// The words of /proc/self/cmdline; nothing if they do not begin with `program`.
std::optional<std::vector<std::string>> arguments_of(std::string_view command_line, std::string_view program);

/// Whether these arguments are meant for toolwire: the first one is an option. Other arguments (a script, a command)
/// are left to the program.
bool ask_for_options(const std::vector<std::string>& arguments);

}  // namespace toolwire::server
