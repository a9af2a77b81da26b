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

namespace {

const std::vector<double>& values_of(const Results& results, Metric metric, const Candidate& candidate) {
  const auto& values = results.all(metric, candidate.name);
  if (values.empty()) throw MeasureFailed(candidate.name + " lacks the tool echo");
  return values;
}

}  // namespace

double best_of(const Results& results, Metric metric, const Candidate& candidate, Better better) {
  const auto& values = values_of(results, metric, candidate);
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return better == Better::smaller ? *least : *most;
}

double middle_of(const Results& results, Metric metric, const Candidate& candidate) {
  return median(values_of(results, metric, candidate));
}

}  // namespace toolwire::bench
