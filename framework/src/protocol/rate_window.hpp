// How many calls of a tool the last minute has seen.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace toolwire::protocol {

/// A sliding window of one minute per tool. Thread-safe. Time is given, not asked for.
class RateWindow {
 public:
  using Clock = std::chrono::steady_clock;

  /// Charges one call if fewer than `per_minute` were charged in the last minute; else returns how long to wait.
  std::optional<std::chrono::milliseconds> charge(const std::string& tool, int per_minute, Clock::time_point now) {
    std::lock_guard lock(mutex_);
    std::deque<Clock::time_point>& calls = calls_[tool];
    while (!calls.empty() && now - calls.front() >= std::chrono::minutes(1)) calls.pop_front();
    if (calls.size() >= static_cast<std::size_t>(per_minute)) {
      return std::chrono::ceil<std::chrono::milliseconds>(calls.front() + std::chrono::minutes(1) - now);
    }
    calls.push_back(now);
    return std::nullopt;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::deque<Clock::time_point>> calls_;
};

}  // namespace toolwire::protocol
