// How many calls a back-end has answered, and how quickly. Knows no back-end.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace toolwire::bridge::mcp {

/// A plain value.
struct CallTotals {
  std::uint64_t calls = 0;               // that were answered
  std::uint64_t errors = 0;              // of these, with an error
  std::chrono::microseconds time{0};     // of all of them together
  std::chrono::microseconds slowest{0};  // of one
};

/// Thread-safe.
class CallCounts {
 public:
  using Clock = std::chrono::steady_clock;

  void ended(Clock::time_point begun, bool is_error) {
    const auto time = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begun).count();
    calls_.fetch_add(1, std::memory_order_relaxed);
    if (is_error) errors_.fetch_add(1, std::memory_order_relaxed);
    time_.fetch_add(time, std::memory_order_relaxed);
    std::int64_t slowest = slowest_.load(std::memory_order_relaxed);
    while (time > slowest && !slowest_.compare_exchange_weak(slowest, time, std::memory_order_relaxed)) {
    }
  }
  CallTotals totals() const {
    return {.calls = calls_.load(std::memory_order_relaxed),
            .errors = errors_.load(std::memory_order_relaxed),
            .time = std::chrono::microseconds(time_.load(std::memory_order_relaxed)),
            .slowest = std::chrono::microseconds(slowest_.load(std::memory_order_relaxed))};
  }

 private:
  std::atomic<std::uint64_t> calls_{0};
  std::atomic<std::uint64_t> errors_{0};
  std::atomic<std::int64_t> time_{0};  // in microseconds, as the next
  std::atomic<std::int64_t> slowest_{0};
};

}  // namespace toolwire::bridge::mcp
