// How many calls of a tool the last minute has seen. A call that comes again with answers was charged when it began.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

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

  /// Whether this continuation of a call (the nonce of its sealed state) is seen for the first time; such a one is
  /// free. Remembers it for `age`, as long as the state itself lives; when it has too many to remember, none is free.
  bool first_use(std::string_view nonce, std::chrono::milliseconds age, Clock::time_point now) {
    constexpr std::size_t max_remembered = 65'536;
    std::lock_guard lock(mutex_);
    while (!used_order_.empty() && now - used_order_.front().first >= age) {
      used_.erase(used_order_.front().second);
      used_order_.pop_front();
    }
    if (used_.size() >= max_remembered || !used_.emplace(nonce).second) return false;
    used_order_.emplace_back(now, nonce);
    return true;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::deque<Clock::time_point>> calls_;
  std::set<std::string, std::less<>> used_;
  std::deque<std::pair<Clock::time_point, std::string>> used_order_;
};

}  // namespace toolwire::protocol
