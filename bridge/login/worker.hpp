// What waits for answers and locks, one after the other: however many servers are slow to give tokens, they take one
// thread of the engine.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <utility>

#include <toolwire/detail/mutex.hpp>
#include <toolwire/engine.hpp>

namespace toolwire::bridge::login {

/// Thread-safe. Shared by all logins of a bridge.
class Worker : public std::enable_shared_from_this<Worker> {
 public:
  explicit Worker(std::shared_ptr<Engine> engine) : engine_(std::move(engine)) {}

  /// Runs a job after those before it. It must not throw. What waits when the engine ends is dropped.
  void post(std::function<void()> job) {
    const MutexLock lock(mutex_);
    jobs_.push_back(std::move(job));
    if (!std::exchange(is_at_work_, true)) engine_->post([self = shared_from_this()] { self->work(); });
  }

 private:
  void work() {
    for (std::function<void()> job = next(); job; job = next()) job();
  }

  std::function<void()> next() {
    const MutexLock lock(mutex_);
    is_at_work_ = !jobs_.empty();
    if (!is_at_work_) return {};
    std::function<void()> job = std::move(jobs_.front());
    jobs_.pop_front();
    return job;
  }

  const std::shared_ptr<Engine> engine_;
  Mutex mutex_;
  std::deque<std::function<void()>> jobs_ TOOLWIRE_GUARDED_BY(mutex_);
  bool is_at_work_ TOOLWIRE_GUARDED_BY(mutex_) = false;
};

}  // namespace toolwire::bridge::login
