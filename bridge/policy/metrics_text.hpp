// Prometheus' text form. Knows names and numbers, not what they count.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace toolwire::bridge {

/// How many durations were at most as long as each bound, in seconds. A plain value.
struct DurationHistogram {
  static constexpr std::array<double, 14> bounds{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
                                                 0.25,  0.5,    1,     2.5,  5,     10,   60};
  std::array<std::uint64_t, bounds.size()> counts{};  // not cumulative
  std::uint64_t count = 0;
  double sum = 0;

  void add(double seconds);
};

using Labels = std::vector<std::pair<std::string_view, std::string_view>>;

/// Appends the two lines that introduce a metric. `type`: "counter", "gauge", "histogram".
void append_head(std::string& out, std::string_view name, std::string_view type, std::string_view help);
void append_sample(std::string& out, std::string_view name, const Labels& labels, double value);
void append_histogram(std::string& out, std::string_view name, const Labels& labels,
                      const DurationHistogram& histogram);

}  // namespace toolwire::bridge
