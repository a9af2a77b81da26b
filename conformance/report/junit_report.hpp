// The report as JUnit XML, as CI services read it: a suite for each revision, a case for each check. Warnings and known
// failures are no failures there.
#pragma once

#include <string>

#include "report/report.hpp"

namespace toolwire::conformance {

std::string junit_report(const Report& report);

}  // namespace toolwire::conformance
