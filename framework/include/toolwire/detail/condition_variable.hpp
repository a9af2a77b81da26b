// Waiting with a MutexLock. To the analysis the lock is held all the time, as it is whenever the waiting thread runs. A
// predicate that reads what is guarded says so: `[this]() TOOLWIRE_REQUIRES(mutex_) { return !lines_.empty(); }`.
#pragma once

#include <condition_variable>
#include <stop_token>
#include <utility>

#include "toolwire/detail/mutex.hpp"

namespace toolwire {

/// std::condition_variable, with functions of the same names.
class ConditionVariable {
 public:
  void notify_one() noexcept { variable_.notify_one(); }
  void notify_all() noexcept { variable_.notify_all(); }

  void wait(MutexLock& lock) { variable_.wait(lock.lock_); }
  template <class Predicate>
  void wait(MutexLock& lock, Predicate predicate) {
    variable_.wait(lock.lock_, std::move(predicate));
  }
  template <class Duration>
  std::cv_status wait_for(MutexLock& lock, const Duration& time) {
    return variable_.wait_for(lock.lock_, time);
  }
  template <class Duration, class Predicate>
  bool wait_for(MutexLock& lock, const Duration& time, Predicate predicate) {
    return variable_.wait_for(lock.lock_, time, std::move(predicate));
  }
  template <class TimePoint>
  void wait_until(MutexLock& lock, const TimePoint& time) {
    variable_.wait_until(lock.lock_, time);
  }
  template <class TimePoint, class Predicate>
  bool wait_until(MutexLock& lock, const TimePoint& time, Predicate predicate) {
    return variable_.wait_until(lock.lock_, time, std::move(predicate));
  }

 private:
  std::condition_variable variable_;
};

/// A condition variable whose waits a stop token can also end: std::condition_variable_any, which costs more.
class StoppableConditionVariable {
 public:
  void notify_all() noexcept { variable_.notify_all(); }

  template <class Predicate>
  void wait(MutexLock& lock, Predicate predicate) {
    variable_.wait(lock.lock_, std::move(predicate));
  }
  template <class Predicate>
  bool wait(MutexLock& lock, std::stop_token stop, Predicate predicate) {
    return variable_.wait(lock.lock_, std::move(stop), std::move(predicate));
  }
  template <class TimePoint, class Predicate>
  bool wait_until(MutexLock& lock, std::stop_token stop, const TimePoint& time, Predicate predicate) {
    return variable_.wait_until(lock.lock_, std::move(stop), time, std::move(predicate));
  }

 private:
  std::condition_variable_any variable_;
};

}  // namespace toolwire
