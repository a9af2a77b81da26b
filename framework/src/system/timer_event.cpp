#include <toolwire/system/timer_event.hpp>

#include <sys/timerfd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace toolwire::system {

TimerEvent::TimerEvent() : timer_{::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)} {
  if (!timer_.is_open()) throw std::system_error(errno, std::generic_category(), "timerfd_create");
}

void TimerEvent::set(std::optional<std::chrono::steady_clock::time_point> when) const noexcept {
  itimerspec at{};  // all zero: never
  if (when) {
    // The clock of std::chrono::steady_clock is CLOCK_MONOTONIC.
    const auto since = std::max<std::chrono::nanoseconds>(when->time_since_epoch(), std::chrono::nanoseconds(1));
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(since);
    at.it_value.tv_sec = seconds.count();
    at.it_value.tv_nsec = (since - seconds).count();
  }
  ::timerfd_settime(timer_.get(), TFD_TIMER_ABSTIME, &at, nullptr);
}

}  // namespace toolwire::system
