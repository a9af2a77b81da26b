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

/// What was sent, so that it can be sent again by hand.
struct Stimuli {
  std::vector<std::string> steps = {};  // before each but the first something came back
  bool ends_input = false;              // then standard input was closed
  bool empty() const { return steps.empty(); }
};

/// One server's streams. Not thread-safe. Keeps at most `kept_events` events, the first and the last of them.
class Recording {
 public:
  static constexpr std::size_t kept_bytes = 16 << 10;
  static constexpr std::size_t kept_events = 4096;
  static constexpr std::string_view input_closed = "standard input closed";  // the remark that says so

  void add(Direction direction, std::string_view bytes);
  void remark(std::string_view text) { add(Direction::remark, text); }
  const std::vector<Event>& events() const { return events_; }
  std::size_t dropped() const { return dropped_; }
  /// The events from number `from` on as text for people: "12 ms → {…}".
  std::string text(std::size_t from = 0) const;
  /// What was sent from event number `from` on, after the first `opening` events that were sent. Empty if that cannot
  /// be told: bytes were dropped, a signal was sent, or it is more than `max_stimuli` bytes.
  Stimuli stimuli(std::size_t from = 0, std::size_t opening = 0) const;
  static constexpr std::size_t max_stimuli = 8 << 10;

 private:
  const Clock::time_point start_ = Clock::now();
  std::vector<Event> events_;
  std::size_t dropped_ = 0;
};

}  // namespace toolwire::conformance
