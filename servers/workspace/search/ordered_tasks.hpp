// Tasks that make further tasks, done by several threads, the first in order first; their results are taken in order.
// Independent of the kind of work.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "toolwire/detail/condition_variable.hpp"
#include "toolwire/detail/mutex.hpp"

namespace workspace {

/// The owner runs and takes, on one thread, and works along. What a task makes has keys that are not less than its
/// own, so a result is next once no task with a lesser key is left. Threads are started once there is enough to do and
/// joined by the destructor, which drops tasks that have not begun. An exception of a task is thrown to the owner when
/// it comes to that task.
template <class Task, class Result>
class OrderedTasks {
 public:
  using Key = std::string;
  using Keyed = std::pair<Key, Task>;
  using Tasks = std::vector<Keyed>;
  /// What a task leaves. Keys of results are unique.
  struct Outcome {
    std::vector<std::pair<Key, Result>> results = {};
    std::size_t weight = 0;  // of the results, in any unit
  };
  using Work = std::function<Outcome(const Key&, Task&)>;

  /// `make_worker` is called once for each thread that works. Once the results that wait weigh more than `ahead`, only
  /// the task that is next in order is begun.
  OrderedTasks(unsigned threads, std::size_t ahead, std::function<Work()> make_worker)
      : max_threads_(threads), ahead_(ahead), make_worker_(std::move(make_worker)), own_worker_(make_worker_()) {}
  OrderedTasks(const OrderedTasks&) = delete;
  OrderedTasks& operator=(const OrderedTasks&) = delete;
  ~OrderedTasks() {
    {
      const toolwire::MutexLock lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
  }

  /// From the owner before it runs, or from a task while it works.
  void add(Tasks tasks) {
    if (tasks.empty()) return;
    {
      const toolwire::MutexLock lock(mutex_);
      for (Keyed& task : tasks) pending_.insert(std::move(task));
      waiting_ = pending_.size();
    }
    changed_.notify_all();
  }

  /// Whether threads may soon have nothing to do, so that work is better cut into small tasks.
  bool is_short_of_tasks() const { return waiting_.load(std::memory_order_relaxed) <= max_threads_; }

  /// Calls `take` with each result, in order; it returns whether it wants more. False if it did not.
  template <class Take>
  bool run(Take take) {
    toolwire::MutexLock lock(mutex_);
    while (true) {
      if (has_next_result()) {
        if (!hand_over(take)) return false;
        continue;
      }
      if (pending_.empty() && running_.empty()) return true;
      start_threads();
      work_or_wait(lock, own_worker_);
    }
  }

 private:
  struct Held {
    Result result = {};
    std::size_t weight = 0;
    std::exception_ptr error = nullptr;
  };

  void start_threads() TOOLWIRE_REQUIRES(mutex_) {
    while (threads_.size() < max_threads_ && pending_.size() > threads_.size() + 1)
      threads_.emplace_back([this] { work_along(); });
  }

  bool has_next_result() const TOOLWIRE_REQUIRES(mutex_) {
    if (results_.empty()) return false;
    const Key& key = results_.begin()->first;
    return (pending_.empty() || key < pending_.begin()->first) && (running_.empty() || key < *running_.begin());
  }

  bool may_begin() const TOOLWIRE_REQUIRES(mutex_) {
    if (pending_.empty()) return false;
    return held_ <= ahead_ || running_.empty() || pending_.begin()->first < *running_.begin();
  }

  /// All results that are next.
  template <class Take>
  bool hand_over(Take& take) TOOLWIRE_REQUIRES(mutex_) {
    std::vector<Held> next;
    while (has_next_result()) {
      next.push_back(std::move(results_.begin()->second));
      held_ -= next.back().weight;
      results_.erase(results_.begin());
    }
    const toolwire::MutexUnlock unlocked(mutex_);
    return std::all_of(next.begin(), next.end(), [&take](Held& held) {
      if (held.error) std::rethrow_exception(held.error);
      return take(held.result);
    });
  }

  /// Does the first task, or waits until something has changed.
  void work_or_wait(toolwire::MutexLock& lock, const Work& work) TOOLWIRE_REQUIRES(mutex_) {
    if (!may_begin()) {
      changed_.wait(lock);
      return;
    }
    auto task = pending_.extract(pending_.begin());
    waiting_ = pending_.size();
    const auto place = running_.insert(task.key());
    Outcome outcome;
    const std::exception_ptr error = carry_out(task, work, outcome);
    running_.erase(place);
    keep(task.key(), std::move(outcome), error);
    changed_.notify_all();
  }

  using TaskNode = typename std::map<Key, Task>::node_type;

  std::exception_ptr carry_out(TaskNode& task, const Work& work, Outcome& outcome) TOOLWIRE_REQUIRES(mutex_) {
    const toolwire::MutexUnlock unlocked(mutex_);
    try {
      outcome = work(task.key(), task.mapped());
    } catch (...) {
      return std::current_exception();
    }
    return nullptr;
  }

  void keep(const Key& key, Outcome outcome, const std::exception_ptr& error) TOOLWIRE_REQUIRES(mutex_) {
    if (error) results_[key].error = error;
    std::size_t weight = outcome.weight;
    for (auto& [place, result] : outcome.results) {
      results_.emplace(std::move(place), Held{std::move(result), weight});
      held_ += std::exchange(weight, 0);
    }
  }

  void work_along() {
    const Work work = make_worker_();
    toolwire::MutexLock lock(mutex_);
    while (!ended_) work_or_wait(lock, work);
  }

  const unsigned max_threads_;
  const std::size_t ahead_;
  const std::function<Work()> make_worker_;
  const Work own_worker_;
  toolwire::Mutex mutex_;
  toolwire::ConditionVariable changed_;
  std::map<Key, Task> pending_ TOOLWIRE_GUARDED_BY(mutex_);
  std::multiset<Key> running_ TOOLWIRE_GUARDED_BY(mutex_);
  std::map<Key, Held> results_ TOOLWIRE_GUARDED_BY(mutex_);
  std::size_t held_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  bool ended_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  std::atomic<std::size_t> waiting_ = 0;  // as pending_ has
  std::vector<std::jthread> threads_;     // last, so that they end before what they use is destroyed
};

}  // namespace workspace
