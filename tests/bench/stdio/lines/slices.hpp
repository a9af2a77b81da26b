// Short measurements of several servers in turn, so that what disturbs the machine disturbs all alike.
#pragma once

#include <vector>

#include "bench/measures.hpp"

namespace toolwire::bench {

using MeasureFunction = void (*)(const Candidate&, const Effort&, Results&);

/// Measures every candidate `slices` times, to and fro. Throws what the measure throws.
Results in_turn(const std::vector<const Candidate*>& candidates, MeasureFunction measure, const Effort& effort,
                int slices);

/// The median of the slices; throws MeasureFailed if the candidate has no value.
double middle_of(const Results& results, Metric metric, const Candidate& candidate);

}  // namespace toolwire::bench
