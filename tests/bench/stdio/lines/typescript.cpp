// Compared with a server of the TypeScript SDK v2: the same tool, the same calls, alternating.
#include "lines/groups.hpp"
#include "lines/memory.hpp"
#include "lines/slices.hpp"

namespace toolwire::bench {
namespace {

/// Both servers by the same measure, with the figures they come from.
struct Comparison {
  const Setting& setting;
  Board& board;

  void add(std::string_view line, double own, double other, const std::string& unit, Better better) const {
    board.add(line, better == Better::larger ? own / other : other / own,
              {{"ours " + unit, own}, {"TypeScript " + unit, other}});
  }
  void add(std::string_view line, const Results& results, Metric metric, const std::string& unit, Better better) const {
    add(line, middle_of(results, metric, setting.ours), middle_of(results, metric, *setting.typescript), unit, better);
  }
};

void measure(const Setting& setting, Board& board) {
  if (!setting.typescript) return;
  const Comparison comparison{setting, board};
  Effort effort = setting.quick ? quick_effort() : Effort{};
  effort.starts = setting.quick ? 1 : 5;
  const auto both = [&](MeasureFunction function) {
    return in_turn({&setting.ours, &*setting.typescript}, function, effort, setting.quick ? 1 : 3);
  };
  const Results calls = both(measure_in_flight);
  comparison.add("typescript-throughput", calls, Metric::in_flight_rate, "calls/s", Better::larger);
  comparison.add("typescript-memory", calls, Metric::resident_small, "MB", Better::smaller);
  comparison.add("typescript-idle-memory", idle_memory(setting.ours).resident_mb,
                 idle_memory(*setting.typescript).resident_mb, "MB", Better::smaller);
  comparison.add("typescript-round-trip", both(measure_pinned_round_trip), Metric::pinned_p50, "us", Better::smaller);
  comparison.add("typescript-start", both(measure_start_up), Metric::start_up, "ms", Better::smaller);
}

}  // namespace

const Group& typescript_group() {
  static const Group group = {
      {
          {"typescript-throughput", "64 in flight, calls/s / TypeScript SDK v2", Bound::at_least, 10, "x"},
          {"typescript-round-trip", "round trip on one CPU, its p50 / ours", Bound::none, 0, "x"},
          {"typescript-start", "its start-up / ours", Bound::at_least, 100, "x"},
          {"typescript-memory", "its resident memory after the calls in flight / ours", Bound::at_least, 20, "x"},
          {"typescript-idle-memory", "its idle memory / ours", Bound::at_least, 20, "x"},
      },
      measure};
  return group;
}

std::vector<const Group*> groups() {
  return {&round_trip_group(), &in_flight_group(),  &large_group(),        &longest_line_group(),
          &start_group(),      &idle_group(),       &million_group(),      &delay_group(),
          &list_group(),       &many_calls_group(), &side_by_side_group(), &typescript_group()};
}

}  // namespace toolwire::bench
