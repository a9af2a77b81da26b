// The numbers of a run: what is measured (the catalogue) and every value seen, by metric and server.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace toolwire::bench {

enum class Metric {
  start_up,
  pinned_p50,
  pinned_p99,
  pinned_cpu,
  free_p50,
  free_p99,
  in_flight_rate,
  in_flight_cpu,
  resident_small,
  peak_small,
  large_ascii,
  large_escapes,
  large_utf8,
  peak_large,
  ping_behind,
  ping_behind_worst,
  add_behind,
  add_behind_worst,
  cancel_behind,
  cancel_behind_worst,
  freed_by_cancel,
  exit_after_cancel,
  ping_behind_many,
  flood_threads,
  flood_peak,
  flood_ping,
  flood_answered,
  flood_refused,
  flood_lost,
};

struct MetricText {
  Metric metric;
  std::string_view key;    ///< name in the JSON report
  std::string_view label;  ///< name and unit in the table
};

/// Every metric, in the order of the table.
const std::vector<MetricText>& catalogue();

/// Values by metric and server. The median of the rounds is the result.
class Results {
 public:
  void add(Metric metric, const std::string& server, double value) { values_[{metric, server}].push_back(value); }
  /// Remarks beside the numbers; each text is kept once.
  void note(const std::string& text);

  std::optional<double> middle(Metric metric, const std::string& server) const;
  const std::vector<double>& all(Metric metric, const std::string& server) const;
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  std::map<std::pair<Metric, std::string>, std::vector<double>> values_;
  std::vector<std::string> notes_;
};

}  // namespace toolwire::bench
