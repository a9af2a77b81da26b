// The report as one page without scripts and without anything from elsewhere, with the transcript of each failure.
#pragma once

#include <string>

#include "report/report.hpp"

namespace toolwire::conformance {

std::string html_report(const Report& report);

}  // namespace toolwire::conformance
