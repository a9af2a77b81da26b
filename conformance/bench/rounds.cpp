#include "bench/rounds.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace toolwire::bench {

Effort quick_effort() {
  using namespace std::chrono_literals;
  Effort quick;
  quick.starts = 2;
  quick.sequential = quick.in_flight = quick.large = 20ms;
  quick.flood = 500;
  return quick;
}

const std::vector<Measure>& measures() {
  static const std::vector<Measure> all = {
      {"start", measure_start_up},
      {"pinned", measure_pinned_round_trip},
      {"unpinned", measure_unpinned_round_trip},
      {"in-flight", measure_in_flight},
      {"large", measure_large},
      {"delays", measure_delays},
      {"cancel", measure_cancellation},
      {"flood", measure_flood},
  };
  return all;
}

std::vector<std::string> measure_names() {
  std::vector<std::string> names;
  for (const auto& measure : measures()) names.emplace_back(measure.name);
  return names;
}

bool run_round(const std::vector<Candidate>& servers, const std::vector<std::string>& only, const Effort& effort,
               Results& results) {
  bool complete = true;
  for (const auto& measure : measures()) {
    if (!only.empty() && std::find(only.begin(), only.end(), measure.name) == only.end()) continue;
    for (const auto& server : servers) try {
        measure.run(server, effort, results);
      } catch (const std::runtime_error& error) {
        results.note(fmt::format("{}: {} failed: {}", server.name, measure.name, error.what()));
        complete = false;
      }
  }
  return complete;
}

}  // namespace toolwire::bench
