// The report for people: one line for each group, and every failure with what its author needs. It makes text and
// prints nothing.
#pragma once

#include <string>

#include "report/report.hpp"

namespace toolwire::conformance {

struct TerminalStyle {
  bool colour = false;
  bool verbose = false;  // a line for each finding
};

std::string terminal_report(const Report& report, const TerminalStyle& style);

}  // namespace toolwire::conformance
