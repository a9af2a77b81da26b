// What happens between the inspector and a server, in order, for pages that ask for it again and again.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <toolwire/detail/condition_variable.hpp>
#include <toolwire/detail/mutex.hpp>
#include <toolwire/json.hpp>

namespace toolwire::inspect {

/// Thread-safe. The oldest events go when there are too many.
class EventLog {
 public:
  static constexpr std::size_t max_events = 5'000;
  static constexpr std::size_t max_bytes = std::size_t{32} << 20;  // of all events, as text, as they are given

  /// `event` gets `n`, its number, and `ms`, the time since the log began.
  void add(JsonObject event);

  /// The events behind number `after`, at once if there are any, else as soon as there is one; none when `limit` is
  /// over, or the log was closed. `{"events": […], "last": N}`; `"lost": true` if some of them are gone.
  Json wait(std::uint64_t after, std::chrono::milliseconds limit);

  /// Nobody waits any more.
  void close();

 private:
  using Clock = std::chrono::steady_clock;
  struct Kept {
    Json event;
    std::size_t bytes = 0;
  };
  Json behind(std::uint64_t after) const TOOLWIRE_REQUIRES(mutex_);

  Mutex mutex_;
  ConditionVariable grown_;
  std::deque<Kept> events_ TOOLWIRE_GUARDED_BY(mutex_);
  std::uint64_t last_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  std::size_t bytes_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  bool is_closed_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  const Clock::time_point begun_ = Clock::now();
};

}  // namespace toolwire::inspect
