// The tasks of a server: those in its store, and among them the ones that run on a connection of this process. Decides
// what becomes of a task when the process that ran it is gone. Independent of the wire.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "toolwire/detail/mutex.hpp"
#include "toolwire/error.hpp"
#include "toolwire/stores.hpp"
#include "toolwire/task_store.hpp"

namespace toolwire::protocol {

class Task;

TaskTime time_now();

/// How long questions of a task stay open that are asked at `now`: what is left of its time to live `ttl`, and at least
/// `least`. A clock that was set back behind its creation gives it no more than all of that time.
std::chrono::milliseconds left_for_questions(std::chrono::milliseconds ttl, TaskTime created, TaskTime now,
                                             std::chrono::milliseconds least);

/// Thread-safe. Outlives the connections of its server. Its lock is never held while the store is used.
class Tasks {
 public:
  explicit Tasks(const TaskOptions& options);

  const TaskOptions& options() const { return shared_->options; }
  TaskStore& store() const { return *options().store; }

  // A task is its caller's (see ServerOptions::identify), and its id says whose: for everybody else there is none with
  // that id, whatever store keeps it.

  /// A record for a task of this process that begins now. `ttl`: as the client requests.
  TaskRecord make(std::string tool, std::optional<std::chrono::milliseconds> ttl, std::string_view caller = {}) const;
  void forget(const std::string& id);
  /// Looks at once, and not when it is time, what has become of a task in the store; does nothing if it does not run
  /// here. Does not wait.
  void wake(std::string_view id) const;
  /// The task if it runs in this process, else null.
  std::shared_ptr<Task> running(std::string_view id) const;

  // What needs the store is done when that has answered, at once or later and from any thread; a failure of the store
  // is passed on as it is, see refuse_for_store. `id` lives until the function has returned.

  /// Keeps a task before its client hears of it. False if there are too many; then, and after a failure, it is to be
  /// forgotten.
  void add(const std::shared_ptr<Task>& task, Done<bool> done);
  /// The current state of a task; nothing if the caller has none with that id, or no longer.
  void find(std::string_view id, std::string_view caller, Done<std::optional<TaskRecord>> done);
  /// At most `count` of the caller's that were created after the one with the serial `after`.
  void list(std::uint64_t after, std::size_t count, std::string_view caller, Done<std::vector<TaskRecord>> done);
  /// Records that a task of another process is cancelled; that process stops it when it next looks. False if it is
  /// over.
  void cancel(const TaskRecord& task, Done<bool> done);

 private:
  /// What an answer of the store needs that may come after the end of the server.
  struct Shared {
    explicit Shared(TaskOptions task_options) : options(std::move(task_options)) {}
    TaskStore& store() const { return *options.store; }
    const TaskOwner& self() const;
    bool is_outdated(const TaskRecord& task, TaskTime now) const;

    const TaskOptions options;
    mutable std::once_flag self_known;
    mutable TaskOwner self_looked_up;  // by self() only
  };
  class Search;
  class Listing;
  class Addition;

  const std::shared_ptr<const Shared> shared_;
  mutable Mutex mutex_;
  std::map<std::string, std::weak_ptr<Task>, std::less<>> running_ TOOLWIRE_GUARDED_BY(mutex_);
};

/// A store that fails ends the request, and nothing else: throws ProtocolError (-32603). Details go to stderr, never to
/// the wire.
[[noreturn]] void refuse_for_store(const std::exception_ptr& why);
/// The error of a request whose store has not answered within Limits::task_store.
ProtocolError store_is_late();

}  // namespace toolwire::protocol
