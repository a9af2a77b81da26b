// Finds the tools of a server that it can be measured with. It calls none.
#pragma once

#include <string>
#include <vector>

#include "bench/messages.hpp"
#include "target/target.hpp"

namespace toolwire::conformance {

struct BenchTools {
  toolwire::bench::Tools tools;
  std::vector<std::string> notes;  // why a tool is missing
};

/// The fixtures tool:echo and tool:slow of the profile, else tools `echo {text}` and `sleep {ms}`; only such as may be
/// called.
BenchTools bench_tools(const Target& target);

}  // namespace toolwire::conformance
