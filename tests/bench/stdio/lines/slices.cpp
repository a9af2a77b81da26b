#include "lines/slices.hpp"

#include <algorithm>

namespace toolwire::bench {

Results in_turn(const std::vector<const Candidate*>& candidates, MeasureFunction measure, const Effort& effort,
                int slices) {
  Results results;
  auto order = candidates;
  for (int slice = 0; slice < slices; ++slice) {
    for (const Candidate* candidate : order) measure(*candidate, effort, results);
    std::reverse(order.begin(), order.end());
  }
  return results;
}

double middle_of(const Results& results, Metric metric, const Candidate& candidate) {
  const auto value = results.middle(metric, candidate.name);
  if (!value || *value == 0) throw MeasureFailed(candidate.name + " lacks the tool echo");
  return *value;
}

}  // namespace toolwire::bench
