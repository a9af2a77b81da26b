// Tasks in memory, the names of their states, and stores that answer by returning.
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <utility>

#include "toolwire/detail/mutex.hpp"
#include "toolwire/task_store.hpp"

namespace toolwire {
namespace {

constexpr std::array<std::pair<TaskStatus, std::string_view>, 5> names{{{TaskStatus::working, "working"},
                                                                        {TaskStatus::input_required, "input_required"},
                                                                        {TaskStatus::completed, "completed"},
                                                                        {TaskStatus::failed, "failed"},
                                                                        {TaskStatus::cancelled, "cancelled"}}};

class MemoryTaskStore final : public LocalTaskStore {
 public:
  bool insert(const TaskRecord& task, std::size_t bound, TaskTime now) override {
    const MutexLock lock(mutex_);
    forget_if([&](const TaskRecord& kept) { return kept.is_expired(now); });
    if (tasks_.size() >= bound && !forget_oldest()) return false;
    const std::uint64_t serial = ++last_;
    by_id_.emplace(task.id, serial);
    tasks_.emplace(serial, task).first->second.serial = serial;
    return true;
  }

  std::optional<TaskRecord> find(std::string_view id, TaskTime now) override {
    const MutexLock lock(mutex_);
    const TaskRecord* task = task_with(id);
    if (task == nullptr || task->is_expired(now)) return std::nullopt;
    return *task;
  }

  bool change(std::string_view id, const TaskState& state) override {
    const MutexLock lock(mutex_);
    TaskRecord* task = task_with(id);
    if (task == nullptr || is_over(task->state.status)) return false;
    task->state = state;
    return true;
  }

  std::vector<TaskRecord> list(std::uint64_t after, std::size_t count, TaskTime now) override {
    const MutexLock lock(mutex_);
    std::vector<TaskRecord> page;
    for (auto task = tasks_.upper_bound(after); task != tasks_.end() && page.size() < count; ++task) {
      if (!task->second.is_expired(now)) page.push_back(task->second);
    }
    return page;
  }

  bool is_shared() const override { return false; }

 private:
  TaskRecord* task_with(std::string_view id) TOOLWIRE_REQUIRES(mutex_) {
    auto found = by_id_.find(id);
    return found != by_id_.end() ? &tasks_.at(found->second) : nullptr;
  }

  template <class Condition>
  void forget_if(Condition condition) TOOLWIRE_REQUIRES(mutex_) {
    std::erase_if(tasks_, [&](const auto& entry) TOOLWIRE_REQUIRES(mutex_) {
      if (!condition(entry.second)) return false;
      by_id_.erase(entry.second.id);
      return true;
    });
  }

  bool forget_oldest() TOOLWIRE_REQUIRES(mutex_) {
    auto over = std::ranges::find_if(tasks_, [](const auto& entry) { return is_over(entry.second.state.status); });
    if (over == tasks_.end()) return false;
    by_id_.erase(over->second.id);
    tasks_.erase(over);
    return true;
  }

  Mutex mutex_;
  std::uint64_t last_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  std::map<std::uint64_t, TaskRecord> tasks_ TOOLWIRE_GUARDED_BY(mutex_);  // by serial
  std::map<std::string, std::uint64_t, std::less<>> by_id_ TOOLWIRE_GUARDED_BY(mutex_);
};

/// Answers with what `result` returns, or with what it throws.
template <class T, class Function>
void answer(Done<T>& done, Function result) {
  std::optional<T> value;
  try {
    value.emplace(result());
  } catch (...) {
    return done.fail(std::current_exception());
  }
  done(std::move(*value));
}

}  // namespace

void TaskStore::add_answers(std::string_view /*id*/, std::string_view /*answers*/, Done<bool> done) { done(false); }
void TaskStore::answers(std::string_view /*id*/, std::size_t /*after*/, Done<std::vector<std::string>> done) {
  done({});
}

void LocalTaskStore::insert(const TaskRecord& task, std::size_t bound, TaskTime now, Done<bool> done) {
  answer(done, [&] { return insert(task, bound, now); });
}
void LocalTaskStore::find(std::string_view id, TaskTime now, Done<std::optional<TaskRecord>> done) {
  answer(done, [&] { return find(id, now); });
}
void LocalTaskStore::change(std::string_view id, const TaskState& state, Done<bool> done) {
  answer(done, [&] { return change(id, state); });
}
void LocalTaskStore::list(std::uint64_t after, std::size_t count, TaskTime now, Done<std::vector<TaskRecord>> done) {
  answer(done, [&] { return list(after, count, now); });
}

std::string_view name_of(TaskStatus status) {
  return std::ranges::find(names, status, &std::pair<TaskStatus, std::string_view>::first)->second;
}

std::optional<TaskStatus> task_status_named(std::string_view name) {
  const auto* found = std::ranges::find(names, name, &std::pair<TaskStatus, std::string_view>::second);
  if (found == names.end()) return std::nullopt;
  return found->first;
}

std::shared_ptr<LocalTaskStore> memory_task_store() { return std::make_shared<MemoryTaskStore>(); }

}  // namespace toolwire
