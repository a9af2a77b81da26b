#include "client/serial_queue.hpp"

#include <utility>

#include <toolwire/system/signals_blocked.hpp>

namespace toolwire::client {
namespace {

constexpr int max_tasks_of_job = 32;  // then it is the turn of other work of the engine

}  // namespace

SerialQueue::SerialQueue(std::shared_ptr<Engine> engine) : engine_{std::move(engine)} {}

void SerialQueue::post(std::function<void()> task) {
  const MutexLock lock(tasks_->mutex);
  post_locked(std::move(task));
}

void SerialQueue::post_unless_full(std::function<void()> task, std::size_t max_waiting) {
  const MutexLock lock(tasks_->mutex);
  if (tasks_->waiting.size() < max_waiting) post_locked(std::move(task));
}

void SerialQueue::post_locked(std::function<void()>&& task) {
  if (tasks_->stopping) return;
  tasks_->waiting.push_back(std::move(task));
  if (engine_ != nullptr) {
    if (!std::exchange(tasks_->is_posted, true)) post_job(tasks_, engine_);
    return;
  }
  if (!thread_.joinable()) {
    const system::SignalsBlocked inherited_by_the_thread;
    thread_ = std::thread{[this] { run_on_thread(); }};
  }
  tasks_->changed.notify_all();
}

void SerialQueue::post_job(const std::shared_ptr<Tasks>& tasks, const std::weak_ptr<Engine>& engine) {
  const auto alive = engine.lock();
  if (alive != nullptr) alive->post([tasks, engine] { run_some(tasks, engine); });
}

void SerialQueue::run_some(const std::shared_ptr<Tasks>& tasks, const std::weak_ptr<Engine>& engine) {
  const MutexLock lock(tasks->mutex);
  for (int ran = 0; !tasks->stopping && !tasks->waiting.empty(); ++ran) {
    if (ran == max_tasks_of_job) return post_job(tasks, engine);
    tasks->run_next();
  }
  tasks->is_posted = false;
}

void SerialQueue::stop() {
  std::thread thread;
  std::deque<std::function<void()>> dropped;  // destroyed without the lock: they may own much
  {
    MutexLock lock(tasks_->mutex);
    tasks_->stopping = true;
    dropped.swap(tasks_->waiting);
    thread.swap(thread_);
    tasks_->changed.notify_all();
    tasks_->changed.wait(lock,
                         [this]() TOOLWIRE_REQUIRES(tasks_->mutex) { return tasks_->runner == std::thread::id(); });
  }
  if (thread.joinable()) thread.join();
}

bool SerialQueue::is_this_thread() const {
  const MutexLock lock(tasks_->mutex);
  return tasks_->runner == std::this_thread::get_id();
}

void SerialQueue::run_on_thread() {
  Tasks& tasks = *tasks_;
  MutexLock lock(tasks.mutex);
  while (true) {
    tasks.changed.wait(lock,
                       [&tasks]() TOOLWIRE_REQUIRES(tasks.mutex) { return tasks.stopping || !tasks.waiting.empty(); });
    if (tasks.stopping) return;
    tasks.run_next();
  }
}

void SerialQueue::Tasks::run_next() {
  auto task = std::move(waiting.front());
  waiting.pop_front();
  runner = std::this_thread::get_id();
  {
    const MutexUnlock unlocked(mutex);
    try {
      task();
    } catch (...) {  // a function of the embedding program; it has nobody to tell
    }
    task = nullptr;
  }
  runner = {};
  if (stopping) changed.notify_all();
}

}  // namespace toolwire::client
