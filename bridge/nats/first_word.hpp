// What is first said of the streams of tasks, for a start that waits for it. Independent of who says it.
#pragma once

#include <chrono>
#include <stdexcept>
#include <string>
#include <utility>

#include <toolwire/detail/condition_variable.hpp>
#include <toolwire/detail/mutex.hpp>

namespace toolwire::nats {

/// Thread-safe.
class FirstWord {
 public:
  /// Whether anything was said within this time; no longer than until the server is away. Throws std::invalid_argument
  /// with the problem, if there is one.
  bool wait(std::chrono::milliseconds time) {
    MutexLock lock(mutex_);
    changed_.wait_for(lock, time, [this]() TOOLWIRE_REQUIRES(mutex_) { return is_said_ || is_away_; });
    if (!problem_.empty()) throw std::invalid_argument(problem_);
    return is_said_;
  }

  /// `problem`: why the streams cannot be used; empty: they can.
  void say(std::string problem) {
    const MutexLock lock(mutex_);
    is_said_ = true;
    problem_ = std::move(problem);
    changed_.notify_all();
  }

  /// The server is away, or was.
  void lost() {
    const MutexLock lock(mutex_);
    is_away_ = true;
    changed_.notify_all();
  }

 private:
  Mutex mutex_;
  ConditionVariable changed_;
  bool is_said_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  bool is_away_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  std::string problem_ TOOLWIRE_GUARDED_BY(mutex_);
};

}  // namespace toolwire::nats
