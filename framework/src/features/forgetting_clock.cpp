#include "features/forgetting_clock.hpp"

#include <algorithm>

namespace toolwire::features {

using Clock = std::chrono::system_clock;

Clock::time_point forgetting_time(Clock::time_point told, Clock::time_point passed) {
  constexpr std::chrono::hours believed_after{24};
  return std::max(std::min(told, passed), told - believed_after);
}

Clock::time_point ForgettingClock::now() const {
  const auto passed = std::chrono::duration_cast<Clock::duration>(std::chrono::steady_clock::now() - steady_);
  return forgetting_time(told_(), begun_ + passed);
}

}  // namespace toolwire::features
