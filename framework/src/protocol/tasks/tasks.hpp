// The tasks of a server: those its store holds, and of these the ones that run on a connection of this process. Decides
// what a task has come to when the process that ran it is gone. Independent of the wire.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "toolwire/detail/mutex.hpp"
#include "toolwire/task_store.hpp"

namespace toolwire::protocol {

class Task;

TaskTime time_now();

/// Thread-safe. Outlives the connections of its server. Its lock is never held while the store is used.
class Tasks {
 public:
  explicit Tasks(const TaskOptions& options);

  const TaskOptions& options() const { return options_; }
  TaskStore& store() const { return *options_.store; }

  // What needs the store throws ProtocolError (-32603) when that fails.

  /// A record for a task of this process that begins now. `ttl`: as the client requests.
  TaskRecord make(std::string tool, std::optional<std::chrono::milliseconds> ttl) const;
  /// Keeps a task before its client hears of it. Returns false if there are too many.
  bool add(const std::shared_ptr<Task>& task);
  void forget(const std::string& id);

  /// The task if it runs in this process, else null.
  std::shared_ptr<Task> running(std::string_view id) const;
  /// The current state of a task; nothing if there is none with that id, or no longer.
  std::optional<TaskRecord> find(std::string_view id);
  /// At most `count` of those created after the one with the serial `after`.
  std::vector<TaskRecord> list(std::uint64_t after, std::size_t count);
  /// Enters that a task of another process is cancelled; that process stops it when it next looks. False if it is over.
  bool cancel(const TaskRecord& task);

 private:
  const TaskOwner& self() const;
  void make_room();
  TaskRecord as_it_is(TaskRecord task);

  const TaskOptions options_;
  mutable std::once_flag self_known_;
  mutable TaskOwner self_;  // by self() only
  mutable Mutex mutex_;
  std::map<std::string, std::weak_ptr<Task>, std::less<>> running_ TOOLWIRE_GUARDED_BY(mutex_);
};

}  // namespace toolwire::protocol
