// Points in time that lie so far ahead that clocks cannot count to them.
#pragma once

#include <algorithm>
#include <chrono>

namespace toolwire::system {

/// So long from now, or in ten years if that is longer: "for ever" is written as the largest duration there is, and
/// added to a time it would lie in the past.
template <class Clock, class Duration>
typename Clock::time_point later(Duration time) {
  constexpr auto longest = std::chrono::duration_cast<Duration>(std::chrono::hours{24} * 3653);
  return Clock::now() + std::min<Duration>(time, longest);
}

}  // namespace toolwire::system
