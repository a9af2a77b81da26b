// How long to wait before a server that failed is started again: longer each time, up to a bound, and short again once
// it has run for a while. Is told the time.
#pragma once

#include <algorithm>
#include <chrono>

namespace toolwire {

struct BackOffOptions {
  std::chrono::milliseconds first{100};  // after the first failure in a row there is no wait, after the second this
  std::chrono::milliseconds longest{30'000};
  std::chrono::milliseconds stable{10'000};  // having lived so long, a server that fails begins a new row
};

/// A plain value; one thread.
class BackOff {
 public:
  using Clock = std::chrono::steady_clock;

  explicit BackOff(BackOffOptions options) : options_(options) {}

  void started(Clock::time_point now) {
    started_ = now;
    alive_ = true;
  }

  /// Notes a failure and returns when the next start may be tried.
  Clock::time_point failed(Clock::time_point now) {
    if (alive_ && now - started_ >= options_.stable) in_a_row_ = 0;
    alive_ = false;
    if (++in_a_row_ == 1) return now;
    wait_ = in_a_row_ == 2 ? options_.first : std::min(2 * wait_, options_.longest);
    return now + wait_;
  }

  /// Failures since it was last stable.
  unsigned in_a_row() const { return in_a_row_; }

 private:
  const BackOffOptions options_;
  Clock::time_point started_ = {};
  bool alive_ = false;
  unsigned in_a_row_ = 0;
  std::chrono::milliseconds wait_{};
};

}  // namespace toolwire
