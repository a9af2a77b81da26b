// One call after the other: on one CPU, and with client and server free on all.
#include "lines/groups.hpp"
#include "lines/slices.hpp"

namespace toolwire::bench {
namespace {

void measure(const Setting& setting, Board& board) {
  using namespace std::chrono_literals;
  Effort effort = setting.quick ? quick_effort() : Effort{};
  if (!setting.quick) effort.sequential = 150ms;
  const int slices = setting.quick ? 1 : 10;
  const std::vector<const Candidate*> both = {&setting.raw, &setting.ours};
  const auto compare = [&](std::string_view line, const Results& results, Metric metric) {
    const double raw = best_of(results, metric, setting.raw, Better::smaller);
    const double ours = best_of(results, metric, setting.ours, Better::smaller);
    board.add(line, ours / raw, {{"raw us", raw}, {"ours us", ours}});
  };
  const Results pinned = in_turn(both, measure_pinned_round_trip, effort, slices);
  compare("one-cpu-p50", pinned, Metric::pinned_p50);
  compare("one-cpu-p99", pinned, Metric::pinned_p99);
  const Results free = in_turn(both, measure_unpinned_round_trip, effort, slices);
  compare("free-p50", free, Metric::free_p50);
  compare("free-p99", free, Metric::free_p99);
}

}  // namespace

const Group& round_trip_group() {
  static const Group group = {{
                                  {"one-cpu-p50", "round trip on one CPU, p50 / raw", Bound::at_most, 1.3, "x"},
                                  {"one-cpu-p99", "round trip on one CPU, p99 / raw", Bound::none, 0, "x"},
                                  {"free-p50", "round trip on free CPUs, p50 / raw", Bound::none, 0, "x"},
                                  {"free-p99", "round trip on free CPUs, p99 / raw", Bound::at_most, 3, "x"},
                              },
                              measure};
  return group;
}

}  // namespace toolwire::bench
