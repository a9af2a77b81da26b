// Things the bridge does later: retries, polls, deadlines. A waiting call holds no thread. Independent of calls.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>

namespace toolwire::bridge {

/// Thread-safe. Must outlive everything that uses it: its functions may run until it is destroyed.
class Timers {
 public:
  using Clock = std::chrono::steady_clock;
  using Handle = std::pair<Clock::time_point, std::uint64_t>;

  virtual ~Timers() = default;

  /// Runs `what` once at `when`, on a thread of its own. It must not throw.
  virtual Handle at(Clock::time_point when, std::function<void()> what) = 0;
  /// Forgets the function unless it has begun. What it holds is released before this returns.
  virtual void cancel(const Handle& handle) = 0;
  virtual Clock::time_point now() const { return Clock::now(); }

  Handle after(Clock::duration time, std::function<void()> what) { return at(now() + time, std::move(what)); }
};

}  // namespace toolwire::bridge
