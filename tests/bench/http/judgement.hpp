// What is wrong with what was measured: of delays and resets there are bounds that hold on any machine with nothing
// else to do. Decides only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace toolwire::bench {

/// What became of calls whose connections were reset at random.
struct Resets {
  std::size_t began = 0;      // at the server, before their connection was reset
  std::size_t answered = 0;   // before that
  std::size_t cancelled = 0;  // because of it
  double longest = 0;         // milliseconds from a reset until the tool was told
};

/// How long calls took, in microseconds.
struct Delays {
  double p50 = 0;
  double p99 = 0;
};

inline constexpr double max_until_cancelled = 100;       // milliseconds
inline constexpr double max_beside_silent_ones = 5'000;  // microseconds that a call may take longer

/// What so many of a hundred stay below; 0 of none.
inline double percentile(std::vector<double> values, double part) {
  if (values.empty()) return 0;
  const auto at =
      std::min(values.size() - 1, static_cast<std::size_t>(static_cast<double>(values.size()) * part / 100));
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(at));
  return values[at];
}

inline Delays delays_of(const std::vector<double>& took) {
  return {.p50 = percentile(took, 50), .p99 = percentile(took, 99)};
}

/// Empty: nothing. `judges_time`: on a machine that does other things at the same time it says nothing.
inline std::string wrong_with(const Resets& seen, bool judges_time) {
  const std::size_t over = seen.answered + seen.cancelled;
  if (over < seen.began)
    return "of the calls whose connections were reset " + std::to_string(seen.began - over) +
           " were neither answered nor cancelled";
  if (!judges_time) return {};
  if (seen.cancelled == 0) return "of the calls whose connections were reset none was cancelled: nothing was measured";
  if (seen.longest > max_until_cancelled)
    return "a call was cancelled " + std::to_string(seen.longest) + " ms after its connection was reset; at most " +
           std::to_string(static_cast<int>(max_until_cancelled)) + " ms are meant";
  return {};
}

/// Of calls beside connections that say nothing, and of calls without them.
inline std::string wrong_with(const Delays& beside, const Delays& alone, bool judges_time) {
  const double more = beside.p99 - alone.p99;
  if (!judges_time || more <= max_beside_silent_ones) return {};
  return "silent connections delay a call by " + std::to_string(static_cast<int>(more)) + " us (p99); at most " +
         std::to_string(static_cast<int>(max_beside_silent_ones)) + " us are meant";
}

}  // namespace toolwire::bench
