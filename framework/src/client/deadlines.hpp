// When requests without a waiting thread are given up. Independent of requests.
#pragma once

#include <functional>
#include <thread>

#include "engine/timers.hpp"
#include "toolwire/detail/condition_variable.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::client {

/// Thread-safe. Its thread is started with the first deadline.
class Deadlines {
 public:
  using Handle = engine::Timers::Handle;

  Deadlines() = default;
  Deadlines(const Deadlines&) = delete;
  Deadlines& operator=(const Deadlines&) = delete;
  ~Deadlines() { stop(); }

  Handle at(engine::Timers::Clock::time_point when, std::function<void()> what);
  /// A deadline that is due at this moment may still run its function.
  void forget(const Handle& handle) { timers_.cancel(handle); }

  /// No function runs afterwards. Not from inside a deadline's function.
  void stop();

 private:
  void run();

  engine::Timers timers_;
  Mutex mutex_;
  ConditionVariable changed_;
  bool stopping_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  bool changed_earliest_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  std::thread thread_ TOOLWIRE_GUARDED_BY(mutex_);
};

}  // namespace toolwire::client
