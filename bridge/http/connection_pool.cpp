#include "http/connection_pool.hpp"

#include <system_error>
#include <utility>

namespace toolwire::bridge::http {

void ConnectionPool::add(std::function<void()> work) {
  MutexLock lock(mutex_);
  if (idle_ <= queue_.size() && threads_.size() < max_threads_) {
    try {
      threads_.emplace_back([this] { this->work(); });
      ++idle_;
    } catch (const std::system_error&) {
      if (threads_.empty()) throw;  // fewer threads are enough
    }
  }
  thread_free_.wait(lock, [&]() TOOLWIRE_REQUIRES(mutex_) { return in_a_hurry_ || queue_.size() < idle_; });
  if (queue_.size() >= idle_) {
    lock.unlock();
    work();
    return;
  }
  queue_.push_back(std::move(work));
  work_added_.notify_one();
}

void ConnectionPool::hurry() {
  const MutexLock lock(mutex_);
  in_a_hurry_ = true;
  thread_free_.notify_all();
}

void ConnectionPool::finish() {
  {
    const MutexLock lock(mutex_);
    finishing_ = true;
    work_added_.notify_all();
  }
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

// `idle_` counts the threads that wait here, or are about to.
void ConnectionPool::work() {
  MutexLock lock(mutex_);
  for (;;) {
    work_added_.wait(lock, [&]() TOOLWIRE_REQUIRES(mutex_) { return finishing_ || !queue_.empty(); });
    if (queue_.empty()) return;
    std::function<void()> work = std::move(queue_.front());
    queue_.pop_front();
    --idle_;
    lock.unlock();
    work();
    work = nullptr;
    lock.lock();
    ++idle_;
    thread_free_.notify_one();
  }
}

}  // namespace toolwire::bridge::http
