// Follows a task of the server until it is over (2026-07-28 extension io.modelcontextprotocol/tasks; 2025-11-25
// basic/utilities/tasks), answering its questions. Independent of the call it was created from.
#pragma once

#include <toolwire/client.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <string>

#include "client/connection.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::client {

/// The task that a result creates, or nothing if it is an ordinary result.
struct TaskHandle {
  std::string id;
  std::chrono::milliseconds poll_interval;
};
std::optional<TaskHandle> task_in(const Dialect& dialect, const Json& result);

/// Thread-safe. Kept alive by the request or the timer that is under way.
class TaskFollowing : public std::enable_shared_from_this<TaskFollowing> {
 public:
  /// `done` gets what the call would have been answered with; on a thread of the connection.
  TaskFollowing(std::shared_ptr<Connection> connection, TaskHandle task, std::function<void(Pending::Outcome&&)> done);

  void start();
  /// Tells the server to cancel the task, and no longer calls any function.
  void cancel();

 private:
  void look_later();
  void look();
  void await_result();
  void take(RequestOutcome&& outcome);
  void take_state(const Json& task);
  void ask_what_is_new(const Json& task);
  void answer(const JsonObject& questions);
  void refuse_to_answer(const std::string& why, int code);
  void finish(Pending::Outcome outcome);

  const std::shared_ptr<Connection> connection_;
  TaskHandle task_;              // the interval: used by the request in progress
  std::set<std::string> asked_;  // keys of questions; the same
  Mutex mutex_;
  std::function<void(Pending::Outcome&&)> done_ TOOLWIRE_GUARDED_BY(mutex_);  // empty once called, or cancelled
};

}  // namespace toolwire::client
