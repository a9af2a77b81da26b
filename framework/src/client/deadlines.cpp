#include "client/deadlines.hpp"

#include <utility>

#include <toolwire/system/signals_blocked.hpp>

namespace toolwire::client {

Deadlines::Handle Deadlines::at(engine::Timers::Clock::time_point when, std::function<void()> what) {
  const auto [handle, earliest] = timers_.add(when, std::move(what));
  if (!earliest) return handle;
  const MutexLock lock(mutex_);
  if (!thread_.joinable() && !stopping_) {
    const system::SignalsBlocked inherited_by_the_thread;
    thread_ = std::thread{[this] { run(); }};
  }
  changed_earliest_ = true;
  changed_.notify_one();
  return handle;
}

void Deadlines::stop() {
  std::thread thread;
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    changed_.notify_one();
    thread.swap(thread_);
  }
  if (thread.joinable()) thread.join();
  timers_.close();  // the functions of deadlines that are left may own what owns this object
}

void Deadlines::run() {
  MutexLock lock(mutex_);
  const auto look_again = [this]() TOOLWIRE_REQUIRES(mutex_) { return stopping_ || changed_earliest_; };
  while (!stopping_) {
    changed_earliest_ = false;
    const auto next = timers_.next();
    if (!next) {
      changed_.wait(lock, look_again);
    } else if (!changed_.wait_until(lock, *next, look_again)) {
      lock.unlock();
      timers_.run_due(engine::Timers::Clock::now());
      lock.lock();
    }
  }
}

}  // namespace toolwire::client
