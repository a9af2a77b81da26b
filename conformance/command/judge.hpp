// A run of toolwire-conformance: survey, checks, reports.
#pragma once

#include "command/options.hpp"

namespace toolwire::conformance {

/// Returns the exit status. Throws UsageEnd for a file that cannot be read or written, std::system_error if the server
/// cannot be started.
int judge(Options& options);

}  // namespace toolwire::conformance
