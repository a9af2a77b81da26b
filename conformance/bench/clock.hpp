// Time for the benchmark: one monotonic clock, and differences as plain numbers in the unit a table prints.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <vector>

namespace toolwire::bench {

using Clock = std::chrono::steady_clock;
using Time = Clock::time_point;

inline double seconds(Clock::duration span) { return std::chrono::duration<double>(span).count(); }
inline double milliseconds(Clock::duration span) { return std::chrono::duration<double, std::milli>(span).count(); }
inline double microseconds(Clock::duration span) { return std::chrono::duration<double, std::micro>(span).count(); }

/// The value below which `share` (0 to 1) of `values` lie; 0 when there are none.
inline double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  const auto rank = std::lround(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + rank, values.end());
  return values[static_cast<std::size_t>(rank)];
}

/// The middle value; the mean of the two middle ones when their number is even.
inline double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const auto middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace toolwire::bench
