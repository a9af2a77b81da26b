// Descriptors and work of others: what an engine does beside serving peers, and its life without any.
#include <stdexcept>
#include <utility>

#include "engine/engine.hpp"
#include "toolwire/system/signals_blocked.hpp"

namespace toolwire::engine {

void Engine::start() {
  try {
    const MutexLock lock(mutex_);
    const system::SignalsBlocked inherited_by_the_threads;
    start_member();
    monitor_thread_ = std::thread([this] { monitor(); });
  } catch (...) {
    end();
    throw;
  }
}

/// Needs no memory: also a start for which there was not enough ends here.
void Engine::end() {
  std::map<std::uint64_t, std::shared_ptr<Watches::Watch>> watches;  // destroyed outside of the lock, as what waits
  {
    const MutexLock lock(mutex_);
    finish();
    watches = watches_.take_all();
  }
  drop_unowned();
  end_threads();
}

/// A job at a time, as an empty queue to put them in needs memory.
void Engine::drop_unowned() {
  while (true) {
    std::function<void()> dropped;  // destroyed outside of the lock
    const MutexLock lock(mutex_);
    if (unowned_.empty()) return;
    dropped.swap(unowned_.front());
    unowned_.pop_front();
    --queued_;
  }
}

std::uint64_t Engine::begin_serving(Serving serving) {
  const MutexLock lock(mutex_);
  if (serves_) throw std::logic_error("the engine serves already; it serves one server at a time");
  if (serving.take_signals) wake_up_.take_signals();
  serves_ = true;
  stopping_ = hurried_ = told_stuck_ = false;
  notice_ends_.reset();
  serving_ = std::move(serving);
  return ++served_times_;
}

void Engine::wait_until_served() {
  MutexLock lock(mutex_);
  open_to_guests();
  served_.wait(lock, [this]() TOOLWIRE_REQUIRES(mutex_) { return is_served(); });
  close_to_guests();
}

/// What was posted and has not run may hold the engine.
void Engine::end_serving() {
  if (!settings_.stands) end();
  Serving ended;  // destroyed outside of the lock
  const MutexLock lock(mutex_);
  serves_ = false;
  std::swap(ended, serving_);
}

std::uint64_t Engine::watch(int descriptor, unsigned interest, Watches::Ready ready) {
  auto watch = std::make_shared<Watches::Watch>(Watches::Watch{descriptor, interest, std::move(ready)});
  const MutexLock lock(mutex_);
  if (finished_ || watches_.is_watched(descriptor)) return 0;
  const std::uint64_t id = ++last_id_;
  if (!watches_.add(id, std::move(watch))) return 0;
  interrupt_plain_read();
  return id;
}

void Engine::rewatch(std::uint64_t id, unsigned interest) {
  const MutexLock lock(mutex_);
  watches_.change(id, interest);
}

void Engine::unwatch(std::uint64_t id) {
  std::shared_ptr<Watches::Watch> watch;  // destroyed outside of the lock
  MutexLock lock(mutex_);
  watch = watches_.take(id);
  if (watch != nullptr && watch->caller != std::this_thread::get_id()) watches_.wait_for_call(lock, *watch);
}

/// It may take its time: somebody else becomes the driver then, and this returns false.
bool Engine::run_watch(std::uint64_t id, unsigned interest, std::uint64_t mine) {
  const auto watch = watches_.find(id);
  if (watch == nullptr) return true;
  if (watch->is_called()) {  // by a driver that was replaced
    watches_.disarm(*watch);
    return true;
  }
  const unsigned told = interest & watch->interest;
  if (told == system::Poller::nothing) return true;  // it waits for something else by now
  watches_.begin_call(*watch);
  ++apart_;
  driver_ = Driver::outside;
  watch_caller_ = std::this_thread::get_id();
  {
    const MutexUnlock unlock(mutex_);
    watch->ready(told);
  }
  if (epoch_ == mine) watch_caller_ = {};
  if (watch->is_over) {
    const MutexUnlock unlock(mutex_);
    watch->ready = nullptr;
  }
  --apart_;
  watches_.end_call(id, *watch);
  if (epoch_ != mine) return false;
  driver_ = Driver::handling;
  return true;
}

void Engine::post(std::function<void()> work) {
  const MutexLock lock(mutex_);
  if (finished_) return;
  unowned_.push_back(std::move(work));
  ++queued_;
  if (waits_for_all()) {
    poller_.wake();
  } else if (!driver_sees_to_it()) {
    wake_one();
  }
}

Timers::Handle Engine::post_at(Timers::Clock::time_point when, std::function<void()> work) {
  auto [handle, earliest] = timers_.add(when, [this, work = std::move(work)]() mutable { post(std::move(work)); });
  if (earliest) {
    const MutexLock lock(mutex_);
    wake_monitor();
  }
  return handle;
}

void Engine::run_unowned() {
  std::function<void()> work = std::move(unowned_.front());
  unowned_.pop_front();
  took_job();
  ++apart_;
  {
    const MutexUnlock unlock(mutex_);
    work();
    work = nullptr;  // what it held goes before the lock is taken
  }
  --apart_;
}

/// Jobs of channels and of none take turns.
bool Engine::is_turn_of_unowned() {
  if (!may_take_unowned()) return false;
  channels_first_ = !channels_first_;
  return channels_first_ || !may_take_job_of_channels();
}

}  // namespace toolwire::engine
