// Counts the calls of each kind in the last minute. Looking and counting are two steps, because an approval may come
// between them. Independent of calls.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "toolwire/detail/mutex.hpp"

namespace toolwire {

/// What a caller reads that has to wait: `name` may be called `per_minute` times a minute.
std::string rate_limited_text(const std::string& name, std::int64_t per_minute, std::chrono::milliseconds wait);

/// The same where it is all tools together.
std::string quota_reached_text(std::int64_t per_minute, std::chrono::milliseconds wait);

/// The key for what one caller may do with `name`: others have others. Without a caller it is the name.
std::string rate_key(const std::string& name, std::string_view caller);

/// The key for what one caller may do at all; without one it is everybody's.
std::string quota_key(std::string_view caller);

/// A sliding window of one minute for each key (the name of a tool, say); keys that were not used for a minute are
/// forgotten in time. Thread-safe; whoever asks tells the time.
class RateWindow {
 public:
  using Clock = std::chrono::steady_clock;
  using Wait = std::optional<std::chrono::milliseconds>;

  /// How long until another call is allowed; no value if it is allowed now. `per_minute`: 1 or more.
  Wait look(const std::string& key, std::int64_t per_minute, Clock::time_point now);
  /// The same, and counts the call if it is allowed.
  Wait charge(const std::string& key, std::int64_t per_minute, Clock::time_point now);

  /// How many are remembered.
  std::size_t keys() const;

 private:
  using Calls = std::deque<Clock::time_point>;
  Calls& recent(const std::string& key, Clock::time_point now) TOOLWIRE_REQUIRES(mutex_);

  void forget_old(Clock::time_point now) TOOLWIRE_REQUIRES(mutex_);

  mutable Mutex mutex_;
  std::unordered_map<std::string, Calls> calls_ TOOLWIRE_GUARDED_BY(mutex_);
  std::size_t look_through_at_ TOOLWIRE_GUARDED_BY(mutex_) = 0;  // so many keys, for what is old
};

}  // namespace toolwire
