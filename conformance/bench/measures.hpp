// The measures. Each starts its own fresh server, measures once, and adds its values to the results; a server that
// lacks the tool a measure needs adds nothing. All throw MeasureFailed, ServerGone or std::system_error when a number
// would be meaningless.
#pragma once

#include <chrono>
#include <cstddef>
#include <string_view>
#include <vector>

#include "bench/results.hpp"
#include "bench/session.hpp"

namespace toolwire::bench {

/// How much one round measures.
struct Effort {
  int starts = 15;                            ///< processes started to measure start-up
  std::chrono::milliseconds sequential{600};  ///< time spent on round trips, for each of pinned and unpinned
  std::chrono::milliseconds in_flight{800};
  std::chrono::milliseconds large{500};  ///< for each kind of text
  int flood = 5000;                      ///< slow calls sent at once
  std::size_t text_size = 64;            ///< bytes of text in a small call
};

/// Much less of everything: shows that all works, proves no number.
Effort quick_effort();

void measure_start_up(const Candidate& candidate, const Effort& effort, Results& results);
void measure_pinned_round_trip(const Candidate& candidate, const Effort& effort, Results& results);
void measure_unpinned_round_trip(const Candidate& candidate, const Effort& effort, Results& results);
void measure_in_flight(const Candidate& candidate, const Effort& effort, Results& results);
void measure_large(const Candidate& candidate, const Effort& effort, Results& results);
void measure_delays(const Candidate& candidate, const Effort& effort, Results& results);
void measure_cancellation(const Candidate& candidate, const Effort& effort, Results& results);
void measure_flood(const Candidate& candidate, const Effort& effort, Results& results);

struct Measure {
  std::string_view name;
  void (*run)(const Candidate& candidate, const Effort& effort, Results& results);
};
const std::vector<Measure>& measures();

}  // namespace toolwire::bench
