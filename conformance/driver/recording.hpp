// Everything that went over the three streams of a server, with times: the evidence for every verdict. No JSON here.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace toolwire::conformance {

using Clock = std::chrono::steady_clock;

enum class Direction { to_server, from_server, errors, remark };

struct Event {
  std::chrono::milliseconds at;  // since the server was started
  Direction direction;
  std::string bytes;      // at most the first `kept_bytes` of what was moved in one step
  std::size_t total = 0;  // bytes really moved
};

/// One server's streams. Not thread-safe. Keeps at most `kept_events` events, the first and the last of them.
class Recording {
 public:
  static constexpr std::size_t kept_bytes = 16 << 10;
  static constexpr std::size_t kept_events = 4096;

  void add(Direction direction, std::string_view bytes);
  void remark(std::string_view text) { add(Direction::remark, text); }
  const std::vector<Event>& events() const { return events_; }
  std::size_t dropped() const { return dropped_; }
  /// The events from number `from` on as text for people: "12 ms → {…}".
  std::string text(std::size_t from = 0) const;

 private:
  const Clock::time_point start_ = Clock::now();
  std::vector<Event> events_;
  std::size_t dropped_ = 0;
};

}  // namespace toolwire::conformance
