#include "client/serial_queue.hpp"

#include <utility>

#include <toolwire/system/signals_blocked.hpp>

namespace toolwire::client {

void SerialQueue::post(std::function<void()> task) {
  const MutexLock lock(mutex_);
  post_locked(std::move(task));
}

void SerialQueue::post_unless_full(std::function<void()> task, std::size_t max_waiting) {
  const MutexLock lock(mutex_);
  if (tasks_.size() < max_waiting) post_locked(std::move(task));
}

void SerialQueue::post_locked(std::function<void()>&& task) {
  if (stopping_) return;
  tasks_.push_back(std::move(task));
  if (!thread_.joinable()) {
    const system::SignalsBlocked inherited_by_the_thread;
    thread_ = std::thread{[this] { run(); }};
  }
  changed_.notify_one();
}

void SerialQueue::stop() {
  std::thread thread;
  std::deque<std::function<void()>> dropped;  // destroyed without the lock: they may own much
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    dropped.swap(tasks_);
    changed_.notify_one();
    thread.swap(thread_);
  }
  if (thread.joinable()) thread.join();
}

bool SerialQueue::is_this_thread() const {
  const MutexLock lock(mutex_);
  return thread_.get_id() == std::this_thread::get_id();
}

void SerialQueue::run() {
  MutexLock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this]() TOOLWIRE_REQUIRES(mutex_) { return stopping_ || !tasks_.empty(); });
    if (stopping_) return;
    auto task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    try {
      task();
    } catch (...) {  // a function of the embedding program; it has nobody to tell
    }
    task = nullptr;
    lock.lock();
  }
}

}  // namespace toolwire::client
