// Time as it passes for this process: while it stands still (SIGSTOP, a paused virtual machine, a machine that sleeps)
// none does. Whoever was not heard in that time counts as silent only by the system's clock: what they have said waits
// to be read. Independent of what is waited for.
#pragma once

#include <algorithm>
#include <chrono>

namespace toolwire::bridge {

/// For how long somebody else was silent. How old something is that was heard tells the system's clock.
/// From one look at it to the next at most `max_step` passes, so that whoever waits has to look at it more often than
/// that. One thread at a time.
class AwakeClock {
 public:
  using Clock = std::chrono::steady_clock;

  explicit AwakeClock(Clock::duration max_step, Clock::time_point start = Clock::now())
      : max_step_(max_step), seen_(start), now_(start) {}

  /// A look; `real` is the system's time.
  Clock::time_point now(Clock::time_point real = Clock::now()) {
    now_ += std::clamp(real - seen_, Clock::duration::zero(), max_step_);
    seen_ = std::max(seen_, real);
    return now_;
  }

  /// The system's time at which it will be `time` here, if nothing stands still until then; for timers. As of the last
  /// look.
  Clock::time_point real(Clock::time_point time) const { return seen_ + (time - now_); }

 private:
  const Clock::duration max_step_;
  Clock::time_point seen_;
  Clock::time_point now_;
};

}  // namespace toolwire::bridge
