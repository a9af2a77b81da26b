// A thread that runs functions in sequence, started with the first one.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <thread>

#include "toolwire/detail/condition_variable.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::client {

/// Thread-safe. What a task throws ends that task only.
class SerialQueue {
 public:
  SerialQueue() = default;
  SerialQueue(const SerialQueue&) = delete;
  SerialQueue& operator=(const SerialQueue&) = delete;
  ~SerialQueue() { stop(); }

  /// Does nothing after `stop`.
  void post(std::function<void()> task);
  /// The same unless `max_waiting` tasks are waiting.
  void post_unless_full(std::function<void()> task, std::size_t max_waiting);

  /// Waits for the task that runs, drops the others. Not from inside a task.
  void stop();

  /// True inside a task of this queue.
  [[nodiscard]] bool is_this_thread() const;

 private:
  void run();
  void post_locked(std::function<void()>&& task) TOOLWIRE_REQUIRES(mutex_);

  mutable Mutex mutex_;
  ConditionVariable changed_;
  std::deque<std::function<void()>> tasks_ TOOLWIRE_GUARDED_BY(mutex_);
  bool stopping_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  std::thread thread_ TOOLWIRE_GUARDED_BY(mutex_);
};

}  // namespace toolwire::client
