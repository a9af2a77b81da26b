// Many calls at a time, and large ones, against the raw loop that writes all ready answers at once.
#include "lines/groups.hpp"
#include "lines/placement.hpp"
#include "lines/slices.hpp"

namespace toolwire::bench {
namespace {

using namespace std::chrono_literals;

void compare(const Setting& setting, Board& board, std::string_view line, const Results& results, Metric metric,
             const std::string& unit) {
  const double raw = best_of(results, metric, setting.batched, Better::larger);
  const double ours = best_of(results, metric, setting.ours, Better::larger);
  board.add(line, ours / raw, {{"batched " + unit, raw}, {"ours " + unit, ours}});
}

void measure_calls(const Setting& setting, Board& board) {
  Effort effort = setting.quick ? quick_effort() : Effort{};
  if (!setting.quick) effort.in_flight = 200ms;
  const int slices = setting.quick ? 1 : 10;
  const auto measure = [&](std::string_view line, const Candidate& batched, const Candidate& ours) {
    const Results results = in_turn({&batched, &ours}, measure_in_flight, effort, slices);
    compare(setting, board, line, results, Metric::in_flight_rate, "calls/s");
  };
  {
    const TwoCpus apart;
    measure("in-flight", apart.on_the_other(setting.batched), apart.on_the_other(setting.ours));
  }
  const OneCpu together;
  measure("in-flight-one-cpu", setting.batched, setting.ours);
}

void measure_texts(const Setting& setting, Board& board) {
  Effort effort = setting.quick ? quick_effort() : Effort{};
  if (!setting.quick) effort.large = 150ms;
  const auto measure = [&](const std::string& suffix, const Candidate& batched, const Candidate& ours) {
    const Results results = in_turn({&batched, &ours}, measure_large, effort, setting.quick ? 1 : 6);
    compare(setting, board, "large-plain" + suffix, results, Metric::large_ascii, "MB/s");
    compare(setting, board, "large-escapes" + suffix, results, Metric::large_escapes, "MB/s");
    compare(setting, board, "large-utf8" + suffix, results, Metric::large_utf8, "MB/s");
  };
  {
    const TwoCpus apart;
    measure("", apart.on_the_other(setting.batched), apart.on_the_other(setting.ours));
  }
  const OneCpu together;
  measure("-one-cpu", setting.batched, setting.ours);
}

}  // namespace

const Group& in_flight_group() {
  static const Group group = {
      {
          {"in-flight", "64 calls in flight, server on another CPU, calls/s / batching raw loop", Bound::at_least, 0.5,
           "x"},
          {"in-flight-one-cpu", "the same, all on one CPU", Bound::at_least, 0.5, "x"},
      },
      measure_calls};
  return group;
}

const Group& large_group() {
  static const Group group = {
      {
          {"large-plain", "1 MiB echo of letters, server on another CPU, MB/s / batching raw loop", Bound::at_least,
           0.6, "x"},
          {"large-escapes", "the same, a fifth escaped", Bound::at_least, 0.35, "x"},
          {"large-utf8", "the same, letters of up to four bytes", Bound::at_least, 0.4, "x"},
          {"large-plain-one-cpu", "letters, all on one CPU", Bound::at_least, 0.6, "x"},
          {"large-escapes-one-cpu", "a fifth escaped, all on one CPU", Bound::at_least, 0.35, "x"},
          {"large-utf8-one-cpu", "up to four bytes, all on one CPU", Bound::at_least, 0.4, "x"},
      },
      measure_texts};
  return group;
}

}  // namespace toolwire::bench
