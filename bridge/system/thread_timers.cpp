#include "system/thread_timers.hpp"

namespace toolwire::bridge {

ThreadTimers::~ThreadTimers() { stop(); }

void ThreadTimers::stop() {
  std::vector<std::thread> threads;
  Due dropped;
  {
    std::lock_guard lock(mutex_);
    ending_ = true;
    threads.swap(threads_);
    dropped.swap(due_);
  }
  changed_.notify_all();
  dropped.clear();  // may answer waiting calls, so not under the lock
  for (std::thread& thread : threads) thread.join();
}

Timers::Handle ThreadTimers::at(Clock::time_point when, std::function<void()> what) {
  std::lock_guard lock(mutex_);
  Handle handle{when, ++serial_};
  if (ending_) return handle;
  due_.emplace(handle, std::move(what));
  start_thread_if_none_waits();
  if (due_.begin()->first == handle) changed_.notify_one();
  return handle;
}

void ThreadTimers::cancel(const Handle& handle) {
  Due::node_type forgotten;  // destroyed outside of the lock
  std::lock_guard lock(mutex_);
  forgotten = due_.extract(handle);
}

void ThreadTimers::start_thread_if_none_waits() {
  if (ending_ || waiting_ > 0 || threads_.size() >= max_threads_) return;
  ++waiting_;
  threads_.emplace_back([this] { work(); });
}

void ThreadTimers::work() {
  std::unique_lock lock(mutex_);
  while (!ending_) {
    if (due_.empty()) {
      changed_.wait(lock);
    } else if (const Clock::time_point next = due_.begin()->first.first; next > Clock::now()) {
      changed_.wait_until(lock, next);
    } else {
      auto node = due_.extract(due_.begin());
      --waiting_;
      if (!due_.empty()) {
        start_thread_if_none_waits();
        changed_.notify_one();  // the waiting thread may wait without a limit
      }
      lock.unlock();
      node.mapped()();
      node = {};
      lock.lock();
      ++waiting_;
    }
  }
  --waiting_;
}

}  // namespace toolwire::bridge
