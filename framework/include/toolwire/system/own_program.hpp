// The file this process was started from, and another program in its place. Independent of which program and why.
#pragma once

#include <string>
#include <vector>

namespace toolwire::system {

/// The file of this process, symbolic links followed. Throws std::system_error if the system does not tell.
std::string own_program_path();

/// Makes this process the program at `path`, with these arguments (the first is its name), the same streams and the
/// same environment: its exit status is that of this process. Returns only if it fails, with an errno.
int become_program_at(const std::string& path, std::vector<std::string> arguments);

}  // namespace toolwire::system
