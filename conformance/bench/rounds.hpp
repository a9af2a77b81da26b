// One round of all measures with all servers, side by side. It knows the measures by name only.
#pragma once

#include <string>
#include <vector>

#include "bench/measures.hpp"

namespace toolwire::bench {

std::vector<std::string> measure_names();

/// Every server does one measure before any does the next, so that other load on the machine affects all of them
/// equally. `only`: names of measures; empty: all. False if one failed; a note in the results says which and why.
bool run_round(const std::vector<Candidate>& servers, const std::vector<std::string>& only, const Effort& effort,
               Results& results);

}  // namespace toolwire::bench
