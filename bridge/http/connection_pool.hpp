// Threads for connections, as many as are needed up to a bound. Independent of HTTP.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "toolwire/detail/condition_variable.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge::http {

/// No work is queued: when all threads are busy `add` waits, so that connections stay in the system's queue. `add` and
/// `finish` are for one thread, `hurry` for any.
class ConnectionPool {
 public:
  explicit ConnectionPool(std::size_t max_threads) : max_threads_(max_threads) {}
  ~ConnectionPool() { finish(); }
  ConnectionPool(const ConnectionPool&) = delete;
  ConnectionPool& operator=(const ConnectionPool&) = delete;

  void add(std::function<void()> work);
  /// From now on `add` does not wait but does the work itself.
  void hurry();
  /// Waits for everything that was added.
  void finish();

 private:
  void work();

  const std::size_t max_threads_;
  Mutex mutex_;
  ConditionVariable work_added_;
  ConditionVariable thread_free_;
  std::deque<std::function<void()>> queue_ TOOLWIRE_GUARDED_BY(mutex_);
  std::vector<std::thread> threads_;
  std::size_t idle_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  bool in_a_hurry_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  bool finishing_ TOOLWIRE_GUARDED_BY(mutex_) = false;
};

}  // namespace toolwire::bridge::http
