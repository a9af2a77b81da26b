// `toolwire-bridge check FILE…`: reports problems of configurations, manifests, bindings and tool schemas, for people
// and build scripts.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "commands/configured.hpp"

namespace toolwire::bridge {

struct CheckOptions {
  bool with_hints = true;
  bool start = false;  // also starts the servers of configurations, and has them list their tools
  ConfiguredOptions configured = {};
};

/// Writes every problem and hint of the files, a line each, as far as one can know without starting anything. Returns 0
/// if all are good, 1 if one has problems, 2 if one cannot be read.
int check_files(const std::vector<std::string>& files, const CheckOptions& options, std::ostream& out);

/// The command with its arguments; `argv[0]` is its own name. Returns the exit status, 2 also for wrong arguments.
int check_command(int argc, const char* const* argv);

}  // namespace toolwire::bridge
