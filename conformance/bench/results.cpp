#include "bench/results.hpp"

#include <algorithm>

#include "bench/clock.hpp"

namespace toolwire::bench {

const std::vector<MetricText>& catalogue() {
  static const std::vector<MetricText> metrics = {
      {Metric::start_up, "start_up_ms", "start-up, ms"},
      {Metric::pinned_p50, "same_cpu_p50_us", "round trip, one CPU, p50 us"},
      {Metric::pinned_p99, "same_cpu_p99_us", "round trip, one CPU, p99 us"},
      {Metric::pinned_cpu, "same_cpu_server_cpu_us", "  server CPU a call, us"},
      {Metric::free_p50, "unpinned_p50_us", "round trip, unpinned, p50 us"},
      {Metric::free_p99, "unpinned_p99_us", "round trip, unpinned, p99 us"},
      {Metric::in_flight_rate, "in_flight_64_calls_per_s", "64 in flight, calls/s"},
      {Metric::in_flight_cpu, "in_flight_64_server_cpu_us", "  server CPU a call, us"},
      {Metric::resident_small, "resident_mb", "resident after it, MB"},
      {Metric::peak_small, "resident_peak_mb", "  peak, MB"},
      {Metric::large_ascii, "echo_1mib_ascii_mb_per_s", "1 MiB echo, ASCII, MB/s"},
      {Metric::large_escapes, "echo_1mib_escapes_mb_per_s", "  20 % escapes, MB/s"},
      {Metric::large_utf8, "echo_1mib_utf8_mb_per_s", "  UTF-8, MB/s"},
      {Metric::peak_large, "echo_1mib_resident_peak_mb", "  resident peak, MB"},
      {Metric::ping_behind, "ping_behind_slow_ms", "behind a 10 s call: ping, ms"},
      {Metric::ping_behind_worst, "ping_behind_slow_worst_ms", "  worst of a round"},
      {Metric::add_behind, "add_behind_slow_ms", "behind a 10 s call: add, ms"},
      {Metric::add_behind_worst, "add_behind_slow_worst_ms", "  worst of a round"},
      {Metric::cancel_behind, "cancel_behind_slow_ms", "behind a 10 s call: its cancel, ms"},
      {Metric::cancel_behind_worst, "cancel_behind_slow_worst_ms", "  worst of a round"},
      {Metric::freed_by_cancel, "threads_freed_by_cancel_ms", "cancel to threads free, ms"},
      {Metric::exit_after_cancel, "exit_after_cancel_ms", "cancel and EOF to exit, ms"},
      {Metric::ping_behind_many, "ping_behind_64_short_ms", "behind 64 calls of 0.9 ms: ping, ms"},
      {Metric::flood_threads, "flood_threads", "5 000 slow calls: threads"},
      {Metric::flood_peak, "flood_resident_peak_mb", "  resident peak, MB"},
      {Metric::flood_ping, "flood_ping_ms", "  ping behind them, ms"},
      {Metric::flood_answered, "flood_answered", "  answered"},
      {Metric::flood_refused, "flood_refused", "  refused"},
      {Metric::flood_lost, "flood_lost", "  without any answer"},
  };
  return metrics;
}

void Results::note(const std::string& text) {
  if (std::find(notes_.begin(), notes_.end(), text) == notes_.end()) notes_.push_back(text);
}

std::optional<double> Results::middle(Metric metric, const std::string& server) const {
  const auto& values = all(metric, server);
  if (values.empty()) return std::nullopt;
  return median(values);
}

const std::vector<double>& Results::all(Metric metric, const std::string& server) const {
  static const std::vector<double> none;
  const auto found = values_.find({metric, server});
  return found == values_.end() ? none : found->second;
}

}  // namespace toolwire::bench
