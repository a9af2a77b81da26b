// toolwire-conformance bench: the measures of tests/bench/stdio for any server.
#pragma once

#include <string>
#include <vector>

namespace toolwire::conformance {

/// `arguments` stand behind "bench". Returns the exit status. Throws UsageEnd.
int bench(const std::vector<std::string>& arguments);

}  // namespace toolwire::conformance
