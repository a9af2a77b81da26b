// The report for programs, as described by report.schema.json beside this file.
#pragma once

#include <toolwire/json.hpp>

#include "report/report.hpp"

namespace toolwire::conformance {

/// All text in it is valid UTF-8; transcripts and values are cut at 64 KiB.
Json json_report(const Report& report);

}  // namespace toolwire::conformance
