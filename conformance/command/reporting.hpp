// What every run of the program does with its findings, whoever was judged: baseline, causes, reports, exit status.
#pragma once

#include <vector>

#include "command/options.hpp"
#include "report/baseline.hpp"
#include "report/report.hpp"

namespace toolwire::conformance {

/// Before anything is started: the known failures, files that can be written, and when the run is to end. Throws
/// UsageEnd for a file that cannot be read or written.
std::vector<KnownFailure> prepare_reports(const Options& options, Clock::time_point begin);

/// Writes all that is asked for and returns the exit status. Throws UsageEnd for a file that cannot be written.
int finish(const Options& options, Report& report, const std::vector<KnownFailure>& known);

}  // namespace toolwire::conformance
