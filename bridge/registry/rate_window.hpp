// How many calls each tool has had in the last minute. Looking and charging are two steps, because an approval stands
// between them. Knows nothing of calls.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

namespace toolwire::bridge {

/// A sliding window of one minute per tool. Thread-safe. Time is given, not asked for.
class RateWindow {
 public:
  using Clock = std::chrono::steady_clock;
  using Wait = std::optional<std::chrono::milliseconds>;

  /// How long until a call is allowed; nothing if one is allowed now.
  Wait look(const std::string& tool, std::int64_t per_minute, Clock::time_point now) {
    const std::lock_guard lock(mutex_);
    return wait(recent(tool, now), per_minute, now);
  }
  /// The same, and counts the call if it is allowed.
  Wait charge(const std::string& tool, std::int64_t per_minute, Clock::time_point now) {
    const std::lock_guard lock(mutex_);
    Calls& calls = recent(tool, now);
    Wait left = wait(calls, per_minute, now);
    if (!left) calls.push_back(now);
    return left;
  }

 private:
  using Calls = std::deque<Clock::time_point>;
  static constexpr std::chrono::minutes window{1};

  Calls& recent(const std::string& tool, Clock::time_point now) {
    Calls& calls = calls_[tool];
    while (!calls.empty() && now - calls.front() >= window) calls.pop_front();
    return calls;
  }
  /// With fewer calls allowed than were counted (a manifest was edited), more than the oldest must pass.
  static Wait wait(const Calls& calls, std::int64_t per_minute, Clock::time_point now) {
    const auto allowed = static_cast<std::size_t>(per_minute);
    if (calls.size() < allowed) return std::nullopt;
    return std::chrono::ceil<std::chrono::milliseconds>(calls[calls.size() - allowed] + window - now);
  }

  std::mutex mutex_;
  std::unordered_map<std::string, Calls> calls_;
};

}  // namespace toolwire::bridge
