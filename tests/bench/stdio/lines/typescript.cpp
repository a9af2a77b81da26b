// Beside a server of the TypeScript SDK v2: the same tool, the same calls, in turn.
#include <thread>

#include "lines/groups.hpp"
#include "lines/memory.hpp"
#include "lines/slices.hpp"

namespace toolwire::bench {
namespace {

using namespace std::chrono_literals;

double idle_mb(const Candidate& candidate) {
  Session session(candidate);
  session.has_tool(candidate.tools.echo);
  std::this_thread::sleep_for(200ms);
  return memory_of(session.child().pid()).resident_mb;
}

void measure(const Setting& setting, Board& board) {
  if (!setting.typescript) return;
  const Candidate &ours = setting.ours, &theirs = *setting.typescript;
  Effort effort = setting.quick ? quick_effort() : Effort{};
  effort.starts = setting.quick ? 1 : 5;
  const int slices = setting.quick ? 1 : 3;
  const auto compare = [&](std::string_view line, MeasureFunction function, Metric metric, const std::string& unit,
                           bool larger_is_better) {
    const Results results = in_turn({&ours, &theirs}, function, effort, slices);
    const double own = middle_of(results, metric, ours), other = middle_of(results, metric, theirs);
    board.add(line, larger_is_better ? own / other : other / own,
              {{"ours " + unit, own}, {"TypeScript " + unit, other}});
  };
  compare("typescript-throughput", measure_in_flight, Metric::in_flight_rate, "calls/s", true);
  compare("typescript-round-trip", measure_pinned_round_trip, Metric::pinned_p50, "us", false);
  compare("typescript-start", measure_start_up, Metric::start_up, "ms", false);
  const double own = idle_mb(ours), other = idle_mb(theirs);
  board.add("typescript-memory", other / own, {{"ours MB", own}, {"TypeScript MB", other}});
}

}  // namespace

const Group& typescript_group() {
  static const Group group = {
      {
          {"typescript-throughput", "64 in flight, calls/s / TypeScript SDK v2", Bound::at_least, 10, "x"},
          {"typescript-round-trip", "round trip on one CPU, its p50 / ours", Bound::none, 0, "x"},
          {"typescript-start", "its start-up / ours", Bound::at_least, 100, "x"},
          {"typescript-memory", "its idle memory / ours", Bound::at_least, 20, "x"},
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
