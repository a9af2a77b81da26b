// How to see a failure without this program: what was sent, as one pipeline of a POSIX shell. It starts nothing.
#pragma once

#include <string>

#include "report/report.hpp"

namespace toolwire::conformance {

/// `{ printf '%s\n' '{…}' '{…}'; sleep 2; } | SERVER`, with a second before each step that waited for the server. Empty
/// where that is not all of it: signals, streams that nobody reads, or too much to read.
std::string pipeline(const Report& report, const Finding& finding);

}  // namespace toolwire::conformance
