// toolwire-conformance compare: two reports, of before and after a change.
#pragma once

#include <string>
#include <vector>

namespace toolwire::conformance {

/// `arguments` stand behind "compare". Returns the exit status: 1 if something got worse or is not judged any more.
/// Throws UsageEnd.
int compare(const std::vector<std::string>& arguments);

}  // namespace toolwire::conformance
