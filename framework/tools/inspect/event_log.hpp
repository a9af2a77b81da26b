// What happens between the inspector and a server, in order, for pages that ask for it again and again.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <toolwire/json.hpp>

namespace toolwire::inspect {

/// Thread-safe. The oldest events go when there are too many.
class EventLog {
 public:
  static constexpr std::size_t max_events = 5'000;
  static constexpr std::size_t max_bytes = std::size_t{32} << 20;  // of all events, as text

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
  Json behind(std::uint64_t after) const;

  std::mutex mutex_;
  std::condition_variable grown_;
  std::deque<Kept> events_;
  std::uint64_t last_ = 0;
  std::size_t bytes_ = 0;
  bool is_closed_ = false;
  const Clock::time_point begun_ = Clock::now();
};

}  // namespace toolwire::inspect
