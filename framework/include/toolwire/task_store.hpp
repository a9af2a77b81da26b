// Where tasks are kept: what a long-running call is doing, and how it ended (extension
// io.modelcontextprotocol/tasks of 2026-07-28; 2025-11-25 basic/utilities/tasks). Implement LocalTaskStore to keep
// them elsewhere on this machine, TaskStore to keep them farther away. Independent of revisions, the wire and how a
// call runs.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "toolwire/stores.hpp"

namespace toolwire {

enum class TaskStatus { working, input_required, completed, failed, cancelled };

/// Whether this status is final.
constexpr bool is_over(TaskStatus status) {
  return status != TaskStatus::working && status != TaskStatus::input_required;
}

/// The status as the protocol spells it: "input_required".
std::string_view name_of(TaskStatus status);
/// No value if no status is spelled so.
std::optional<TaskStatus> task_status_named(std::string_view name);

/// The process that runs a task. The start time and the boot make sure that a later process with the same number is not
/// taken for it. A plain value.
struct TaskOwner {
  std::int64_t process = 0;
  std::uint64_t start = 0;  // of the process, in clock ticks since the boot
  std::string boot = {};    // id of the boot; empty: the system does not tell
  std::string space = {};   // in which its number counts (a container has its own); empty: the system does not tell

  /// This process (Linux: /proc).
  static TaskOwner here();
  /// Whether that process still runs; no value if this process cannot see it.
  std::optional<bool> is_alive() const;

  bool operator==(const TaskOwner&) const = default;
};

using TaskTime = std::chrono::sys_time<std::chrono::milliseconds>;

/// What changes about a task.
struct TaskState {
  TaskStatus status = TaskStatus::working;
  std::string message = {};  // for people and models; may be empty
  std::string payload = {};  // JSON text. completed: the result; failed: the error; input_required: the open questions
  bool tool_error = false;   // completed, with a result that has isError
  TaskTime updated = {};
  std::optional<std::chrono::milliseconds> ttl = {};  // from its creation; nothing: kept forever
};

/// All that a store keeps of a task. A plain value.
struct TaskRecord {
  std::string id;    // which nobody can guess
  std::string tool;  // its name
  TaskOwner owner;
  TaskTime created;
  TaskState state;
  std::uint64_t serial = 0;  // given by the store, in the order of creation
  /// What the store knows of whether its owner still runs, where `owner` cannot be seen from here: stores that several
  /// machines share are told so from time to time. Nothing: it knows nothing.
  std::optional<bool> owner_runs = {};

  /// A task that is over is forgotten after its time to live; one that runs is not.
  bool is_expired(TaskTime now) const {
    return is_over(state.status) && state.ttl && now >= created && now - created >= *state.ttl;
  }
};

/// Implementations are thread-safe, never wait and never throw: the result of a function goes to its Done, at once or
/// later, from any thread, with no lock held. What is passed by reference or view lives until the function has
/// returned. `now` decides which tasks have expired; these are as if they were not there. If the store fails, only this
/// one request fails.
class TaskStore {
 public:
  virtual ~TaskStore() = default;

  /// Stores a new task before it says so, as safely as this store can. With `bound` tasks in the store, the oldest that
  /// is over is dropped for it; false if none is over, and then nothing is stored.
  virtual void insert(const TaskRecord& task, std::size_t bound, TaskTime now, Done<bool> done) = 0;
  /// The task with this id, if there is one.
  virtual void find(std::string_view id, TaskTime now, Done<std::optional<TaskRecord>> done) = 0;
  /// Changes a task, unless it is over: then its state is final. Says whether it was changed.
  virtual void change(std::string_view id, const TaskState& state, Done<bool> done) = 0;
  /// At most `count` tasks created after the one with the serial `after`, in that order.
  virtual void list(std::uint64_t after, std::size_t count, TaskTime now, Done<std::vector<TaskRecord>> done) = 0;
  /// Whether other processes may change its tasks; tasks that run here are then checked from time to time.
  virtual bool is_shared() const { return true; }

  /// Keeps what a client answers to the questions of a task that runs in another process (JSON text of an object), as
  /// long as the task. False if this store passes nothing on: then such an answer is refused.
  virtual void add_answers(std::string_view id, std::string_view answers, Done<bool> done);
  /// What was added, in that order, but for the first `after`. Whoever runs a task that waits for answers asks from
  /// time to time.
  virtual void answers(std::string_view id, std::size_t after, Done<std::vector<std::string>> done);
};

/// A store that is near enough to answer by returning: in memory, in a file. The functions are those of TaskStore; they
/// never wait long, for the thread that reads the connection may ask, and throw when the store cannot be read or
/// written.
class LocalTaskStore : public TaskStore {
 public:
  virtual bool insert(const TaskRecord& task, std::size_t bound, TaskTime now) = 0;
  virtual std::optional<TaskRecord> find(std::string_view id, TaskTime now) = 0;
  virtual bool change(std::string_view id, const TaskState& state) = 0;
  virtual std::vector<TaskRecord> list(std::uint64_t after, std::size_t count, TaskTime now) = 0;

  void insert(const TaskRecord& task, std::size_t bound, TaskTime now, Done<bool> done) final;
  void find(std::string_view id, TaskTime now, Done<std::optional<TaskRecord>> done) final;
  void change(std::string_view id, const TaskState& state, Done<bool> done) final;
  void list(std::uint64_t after, std::size_t count, TaskTime now, Done<std::vector<TaskRecord>> done) final;
};

/// Keeps tasks as long as the process lives.
std::shared_ptr<LocalTaskStore> memory_task_store();

/// How a server keeps the tasks of its long-running tools.
struct TaskOptions {
  std::shared_ptr<TaskStore> store = {};           // empty: memory_task_store()
  std::chrono::milliseconds ttl{3'600'000};        // if the client does not ask for another
  std::chrono::milliseconds max_ttl{86'400'000};   // a longer one is cut to this
  std::chrono::milliseconds poll_interval{1'000};  // advice to clients
  std::size_t bound = 1'000;  // tasks in the store; with none over, a further call is refused as busy
};

}  // namespace toolwire
