// Short measurements of several servers in turn, so that other load on the machine affects all of them equally.
#pragma once

#include <vector>

#include "bench/measures.hpp"

namespace toolwire::bench {

using MeasureFunction = void (*)(const Candidate&, const Effort&, Results&);

/// Measures every candidate `slices` times, alternating their order. Throws what the measure throws.
Results in_turn(const std::vector<const Candidate*>& candidates, MeasureFunction measure, const Effort& effort,
                int slices);

enum class Better { smaller, larger };

/// Of slices that were all run on the same CPUs the best: what else runs on the machine can only make one worse. Throws
/// MeasureFailed if the candidate has no value; so does middle_of.
double best_of(const Results& results, Metric metric, const Candidate& candidate, Better better);

/// The median, where the kernel chose the CPUs and its luckiest choice proves nothing.
double middle_of(const Results& results, Metric metric, const Candidate& candidate);

}  // namespace toolwire::bench
