// A badge for a README: how many checks passed. One line of text in one of three colours.
#pragma once

#include <string>

#include "report/report.hpp"

namespace toolwire::conformance {

/// An SVG picture where the name of the file ends in .svg, else a line of Markdown that shows one made by shields.io.
std::string badge(const Report& report, const std::string& file);

}  // namespace toolwire::conformance
