// Judges a configuration as `serve` would use it, with the files it names.
#pragma once

#include <iosfwd>
#include <string>

#include "commands/check.hpp"

namespace toolwire::bridge {

/// Writes every problem and hint, a line each; unless one is chosen, the problems of all profiles. Starts servers only
/// if that is asked for. Returns 0, or 1 if there are problems.
int check_configuration(const std::string& file, const CheckOptions& options, std::ostream& out);

}  // namespace toolwire::bridge
