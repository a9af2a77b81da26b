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
  const auto compare = [&](std::string_view line, double raw, double ours) {
    board.add(line, ours / raw, {{"raw us", raw}, {"ours us", ours}});
  };
  const Results pinned = in_turn(both, measure_pinned_round_trip, effort, slices);
  const auto best = [&](Metric metric, const Candidate& one) { return best_of(pinned, metric, one, Better::smaller); };
  compare("one-cpu-p50", best(Metric::pinned_p50, setting.raw), best(Metric::pinned_p50, setting.ours));
  compare("one-cpu-p99", best(Metric::pinned_p99, setting.raw), best(Metric::pinned_p99, setting.ours));
  const Results free = in_turn(both, measure_unpinned_round_trip, effort, slices);
  const auto middle = [&](Metric metric, const Candidate& one) { return middle_of(free, metric, one); };
  compare("free-p50", middle(Metric::free_p50, setting.raw), middle(Metric::free_p50, setting.ours));
  compare("free-p99", middle(Metric::free_p99, setting.raw), middle(Metric::free_p99, setting.ours));
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
