// The report as SARIF 2.1.0 (OASIS), as code scanning of forges reads it.
#pragma once

#include <toolwire/json.hpp>

#include "report/report.hpp"

namespace toolwire::conformance {

/// A rule for each check that failed, a result for each failure: those of several revisions together, and those the
/// baseline knows with a suppression. A WARN is a warning, or an error where the run is strict.
Json sarif_report(const Report& report);

}  // namespace toolwire::conformance
