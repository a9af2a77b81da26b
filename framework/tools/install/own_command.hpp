// Runs a host's own command to its end. Independent of hosts.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace toolwire::install {

/// Runs the program with nothing to read, its standard error being that of this process; after a minute it is ended.
/// Prints what it wrote to standard output. Returns its exit status, -1 if a signal has ended it. Throws
/// std::system_error if it does not start.
int run_to_end(const std::vector<std::string>& command, const std::string& folder);

/// The command with the file of its program, found in the folders of `path`; nothing if it is not there, or there is no
/// command.
std::optional<std::vector<std::string>> on_path(std::optional<std::vector<std::string>> command,
                                                const std::string& path);

/// The command as one would type it in a shell.
std::string shell_text(const std::vector<std::string>& command);

}  // namespace toolwire::install
