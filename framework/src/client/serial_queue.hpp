// Runs functions in sequence, on a thread that is started with the first one, or on those of an engine.
#pragma once

#include <toolwire/engine.hpp>

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <thread>

#include "toolwire/detail/condition_variable.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::client {

/// Thread-safe. What a task throws ends that task only.
class SerialQueue {
 public:
  explicit SerialQueue(std::shared_ptr<Engine> engine = {});
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
  /// Also of jobs of the engine that come too late.
  struct Tasks {
    void run_next() TOOLWIRE_REQUIRES(mutex);

    Mutex mutex;
    ConditionVariable changed;
    std::deque<std::function<void()>> waiting TOOLWIRE_GUARDED_BY(mutex);
    std::thread::id runner TOOLWIRE_GUARDED_BY(mutex) = {};  // of a task, at this moment
    bool is_posted TOOLWIRE_GUARDED_BY(mutex) = false;       // the engine has a job for them
    bool stopping TOOLWIRE_GUARDED_BY(mutex) = false;
  };

  void post_locked(std::function<void()>&& task) TOOLWIRE_REQUIRES(tasks_->mutex);
  void run_on_thread();
  static void post_job(const std::shared_ptr<Tasks>& tasks, const std::weak_ptr<Engine>& engine);
  static void run_some(const std::shared_ptr<Tasks>& tasks, const std::weak_ptr<Engine>& engine);

  const std::shared_ptr<Engine> engine_;
  const std::shared_ptr<Tasks> tasks_ = std::make_shared<Tasks>();
  std::thread thread_ TOOLWIRE_GUARDED_BY(tasks_->mutex);
};

}  // namespace toolwire::client
