#include "protocol/tasks/tasks.hpp"

#include <algorithm>
#include <utility>

#include "log/log.hpp"
#include "protocol/tasks/task.hpp"
#include "protocol/tasks/task_text.hpp"
#include "toolwire/error.hpp"
#include "types/random_id.hpp"

namespace toolwire::protocol {
namespace {

TaskOptions with_store(TaskOptions options) {
  if (!options.store) options.store = memory_task_store();
  return options;
}

/// Whether work on it has stopped. Of a process that cannot be seen from here this is certain once the time is up for
/// which the task was promised.
bool is_abandoned(const TaskRecord& task, TaskTime now) {
  const std::optional<bool> alive = task.owner.is_alive();
  return alive ? !*alive : task.state.ttl && now - task.created >= *task.state.ttl;
}

TaskState interrupted(const TaskState& before, TaskTime now) {
  TaskState state = before;
  state.status = TaskStatus::failed;
  state.message =
      "Interrupted: the server process that ran this task ended before the task did; how far it came is not known.";
  state.payload = interruption_text(state.message);
  state.updated = now;
  return state;
}

/// A store that fails ends the request, and nothing else; details go to stderr, never to the wire.
template <class Use>
auto with_store_errors(Use use) {
  try {
    return use();
  } catch (const std::exception& error) {
    process::log(std::string("the task store failed: ") + error.what());
    throw ProtocolError(error_code::internal_error, "Internal error: the server's task store cannot be used",
                        JsonObject{{"code", "task_store"}, {"retryable", true}});
  }
}

}  // namespace

TaskTime time_now() { return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()); }

Tasks::Tasks(const TaskOptions& options) : options_(with_store(options)) {}

/// Looked up when the first task asks for it: a server should not read files about itself before its first message.
const TaskOwner& Tasks::self() const {
  std::call_once(self_known_, [this] { self_ = TaskOwner::here(); });
  return self_;
}

TaskRecord Tasks::make(std::string tool, std::optional<std::chrono::milliseconds> ttl) const {
  const TaskTime now = time_now();
  TaskRecord record{.id = types::random_id(), .tool = std::move(tool), .owner = self(), .created = now, .state = {}};
  record.state.updated = now;
  record.state.ttl = std::min(ttl.value_or(options_.ttl), options_.max_ttl);
  return record;
}

bool Tasks::add(const std::shared_ptr<Task>& task) {
  {
    const MutexLock lock(mutex_);
    running_.emplace(task->id(), task);
  }
  try {
    const bool kept = with_store_errors([&] {
      if (store().insert(task->record(), options_.bound, time_now())) return true;
      make_room();
      return store().insert(task->record(), options_.bound, time_now());
    });
    if (!kept) forget(task->id());
    return kept;
  } catch (...) {
    forget(task->id());
    throw;
  }
}

void Tasks::forget(const std::string& id) {
  const MutexLock lock(mutex_);
  running_.erase(id);
}

std::shared_ptr<Task> Tasks::running(std::string_view id) const {
  const MutexLock lock(mutex_);
  auto found = running_.find(id);
  return found != running_.end() ? found->second.lock() : nullptr;
}

std::optional<TaskRecord> Tasks::find(std::string_view id) {
  if (auto task = running(id); task && task->is_unsaved()) return task->record();
  return with_store_errors([&]() -> std::optional<TaskRecord> {
    auto record = store().find(id, time_now());
    if (!record) return std::nullopt;
    return as_it_is(std::move(*record));
  });
}

std::vector<TaskRecord> Tasks::list(std::uint64_t after, std::size_t count) {
  return with_store_errors([&] {
    std::vector<TaskRecord> records = store().list(after, count, time_now());
    for (TaskRecord& record : records) record = as_it_is(std::move(record));
    return records;
  });
}

bool Tasks::cancel(const TaskRecord& task) {
  return with_store_errors([&] {
    TaskState state = task.state;
    state.status = TaskStatus::cancelled;
    state.message = "The task was cancelled by request.";
    state.payload.clear();
    state.updated = time_now();
    return store().change(task.id, state);
  });
}

/// A store that is full may be full of tasks whose processes have ended.
void Tasks::make_room() { list(0, options_.bound); }

/// The state in the store, unless it is outdated: the first process that notices records that a task was interrupted.
TaskRecord Tasks::as_it_is(TaskRecord task) {
  const TaskTime now = time_now();
  if (is_over(task.state.status) || task.owner == self() || !is_abandoned(task, now)) return task;
  TaskState state = interrupted(task.state, now);
  if (store().change(task.id, state)) {
    task.state = std::move(state);
  } else if (auto later = store().find(task.id, now)) {
    return std::move(*later);
  }
  return task;
}

}  // namespace toolwire::protocol
