#include "client/deadlines.hpp"

#include <utility>

#include <toolwire/system/signals_blocked.hpp>

namespace toolwire::client {

Deadlines::Deadlines(std::shared_ptr<Engine> engine) : engine_{std::move(engine)} {}

Deadlines::Handle Deadlines::at(Clock::time_point when, std::function<void()> what) {
  const auto [handle, earliest] = due_->timers.add(when, std::move(what));
  if (!earliest) return handle;
  if (engine_ != nullptr) {
    ring_at_next(due_, engine_);
    return handle;
  }
  const MutexLock lock(due_->mutex);
  if (!thread_.joinable() && !due_->stopping) {
    const system::SignalsBlocked inherited_by_the_thread;
    thread_ = std::thread{[this] { run_on_thread(); }};
  }
  due_->changed_earliest = true;
  due_->changed.notify_all();
  return handle;
}

/// The engine is asked for one point in time at once, however many deadlines come and go before it.
void Deadlines::ring_at_next(const std::shared_ptr<Due>& due, const std::weak_ptr<Engine>& engine) {
  const auto next = due->timers.next();
  if (!next) return;
  {
    const MutexLock lock(due->mutex);
    if (due->stopping || (due->rings && *due->rings <= *next)) return;
    due->rings = *next;
  }
  const auto alive = engine.lock();
  if (alive != nullptr) alive->at(*next, [due, engine, when = *next] { ring(due, engine, when); });
}

void Deadlines::ring(const std::shared_ptr<Due>& due, const std::weak_ptr<Engine>& engine, Clock::time_point when) {
  {
    const MutexLock lock(due->mutex);
    if (due->rings == when) due->rings.reset();
  }
  if (due->run()) ring_at_next(due, engine);
}

/// False if another is at it, who then also sees to what has become due meanwhile.
bool Deadlines::Due::run() {
  MutexLock lock(mutex);
  if (stopping || running) return false;
  running = true;
  {
    const MutexUnlock unlocked(mutex);
    timers.run_due(Clock::now());
  }
  running = false;
  changed.notify_all();
  return true;
}

void Deadlines::stop() {
  std::thread thread;
  {
    MutexLock lock(due_->mutex);
    due_->stopping = true;
    due_->changed.notify_all();
    thread.swap(thread_);
    due_->changed.wait(lock, [this]() TOOLWIRE_REQUIRES(due_->mutex) { return !due_->running; });
  }
  if (thread.joinable()) thread.join();
  due_->timers.close();  // the functions of deadlines that are left may own what owns this object
}

void Deadlines::run_on_thread() {
  Due& due = *due_;
  MutexLock lock(due.mutex);
  const auto look_again = [&due]() TOOLWIRE_REQUIRES(due.mutex) { return due.stopping || due.changed_earliest; };
  while (!due.stopping) {
    due.changed_earliest = false;
    const auto next = due.timers.next();
    if (!next) {
      due.changed.wait(lock, look_again);
    } else if (!due.changed.wait_until(lock, *next, look_again)) {
      lock.unlock();
      due.run();
      lock.lock();
    }
  }
}

}  // namespace toolwire::client
