// Timers of the bridge whose clock the test moves.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <utility>

#include "system/timers.hpp"

namespace toolwire_test {

/// Thread-safe. Timers that are due run inside `advance`, on the thread that calls it.
class ManualTimers : public toolwire::bridge::Timers {
 public:
  Handle at(Clock::time_point when, std::function<void()> what) override {
    std::lock_guard lock(mutex_);
    Handle handle{when, ++serial_};
    due_.emplace(handle, std::move(what));
    return handle;
  }
  void cancel(const Handle& handle) override {
    std::function<void()> forgotten;
    std::lock_guard lock(mutex_);
    if (auto node = due_.extract(handle); !node.empty()) forgotten = std::move(node.mapped());
  }
  Clock::time_point now() const override {
    std::lock_guard lock(mutex_);
    return now_;
  }

  /// Moves the clock and runs the timers that become due, each at its time.
  void advance(Clock::duration time) {
    const Clock::time_point end = now() + time;
    while (auto what = take_due(end)) what();
    std::lock_guard lock(mutex_);
    now_ = end;
  }
  std::size_t waiting() const {
    std::lock_guard lock(mutex_);
    return due_.size();
  }

 private:
  std::function<void()> take_due(Clock::time_point end) {
    std::lock_guard lock(mutex_);
    if (due_.empty() || due_.begin()->first.first > end) return nullptr;
    auto node = due_.extract(due_.begin());
    now_ = std::max(now_, node.key().first);
    return std::move(node.mapped());
  }

  mutable std::mutex mutex_;
  Clock::time_point now_{std::chrono::hours(1)};
  std::uint64_t serial_ = 0;
  std::map<Handle, std::function<void()>> due_;
};

}  // namespace toolwire_test
