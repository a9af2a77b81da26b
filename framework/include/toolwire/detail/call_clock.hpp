// The time that one call may take, and its end, which comes once: for a request of a server and for a call that a
// program makes itself. Independent of what is called, of who answers, and of whose timers wait.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "toolwire/detail/mutex.hpp"

namespace toolwire::detail {

/// Thread-safe. Begins to run with `start`, stands still from `pause` to the next `start`, and is over with `end`: then
/// no timer of it is left, and none begins. `Timers`, the same in all calls, has `Handle at(time, function)`, and
/// `forget(handle)` or `cancel(handle)`; the handle is a pair that begins with the time. A call without a limit costs
/// its timers nothing.
class CallClock {
 public:
  using Clock = std::chrono::steady_clock;

  /// Goes on with what is left of `limit`; zero: without end. When nothing is left, `owner->timed_out()` is called on
  /// the thread of the timers, unless it is paused or over by then. A clock that runs already is left alone.
  template <class Timers, class Owner>
  void start(Timers& timers, Clock::duration limit, std::weak_ptr<Owner> owner) {
    if (limit <= Clock::duration::zero()) return;
    const MutexLock lock(mutex_);
    if (is_over() || timer_) return;
    timer_ = timers.at(now(timers) + left_.value_or(limit), [owner = std::move(owner)] {
      if (const auto self = owner.lock()) self->timed_out();
    });
  }

  template <class Timers>
  void pause(Timers& timers) {
    const MutexLock lock(mutex_);
    if (timer_) left_ = timer_->first - now(timers);
    forget_timer(timers);
  }

  /// True for the first who ends it.
  template <class Timers>
  bool end(Timers& timers) {
    if (over_.exchange(true)) return false;
    const MutexLock lock(mutex_);
    forget_timer(timers);
    return true;
  }
  bool is_over() const { return over_.load(); }

 private:
  using Handle = std::pair<Clock::time_point, std::uint64_t>;

  template <class Timers>
  static Clock::time_point now(const Timers& timers) {
    if constexpr (requires { timers.now(); }) {
      return timers.now();
    } else {
      return Clock::now();
    }
  }

  template <class Timers>
  void forget_timer(Timers& timers) TOOLWIRE_REQUIRES(mutex_) {
    const auto timer = std::exchange(timer_, std::nullopt);
    if (!timer) return;
    if constexpr (requires { timers.forget(*timer); }) {
      timers.forget(*timer);
    } else {
      timers.cancel(*timer);
    }
  }

  std::atomic<bool> over_{false};
  Mutex mutex_;
  std::optional<Handle> timer_ TOOLWIRE_GUARDED_BY(mutex_);          // while it runs
  std::optional<Clock::duration> left_ TOOLWIRE_GUARDED_BY(mutex_);  // as of the last pause; none: all of it
};

}  // namespace toolwire::detail
