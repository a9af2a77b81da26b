// `toolwire-bridge check FILE…`: reports problems of manifests, for people and build scripts.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace toolwire::bridge {

/// Writes every problem and hint of the files, a line each. Returns 0 if all are good, 1 if one has problems, 2 if one
/// cannot be read.
int check_files(const std::vector<std::string>& files, bool with_hints, std::ostream& out);

/// The command with its arguments; `argv[0]` is its own name. Returns the exit status, 2 also for wrong arguments.
int check_command(int argc, const char* const* argv);

}  // namespace toolwire::bridge
