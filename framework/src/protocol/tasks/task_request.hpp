// A request about tasks, whose store may answer later: it runs through its steps again, from the first, whenever the
// store has answered; then on the engine. Independent of what the methods do with a task.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/exchange.hpp"
#include "protocol/tasks/tasks.hpp"
#include "toolwire/detail/asking.hpp"

namespace toolwire::protocol {

/// Holds the exchange until it is answered, cancelled, or has waited for `Limits::task_store`. A store that answers at
/// once costs no allocation here.
class TaskRequest : public std::enable_shared_from_this<TaskRequest>,
                    public detail::Asking<TaskRequest, bool, std::optional<TaskRecord>, std::vector<TaskRecord>> {
 public:
  /// What a method does. It returns where one of the functions below has no answer yet, and is called again when that
  /// has come. Throws ProtocolError to end the request.
  using Steps = std::function<void(TaskRequest& request)>;

  static void begin(Exchange&& exchange, Steps steps);
  TaskRequest(Exchange&& exchange, Steps steps);
  ~TaskRequest();

  const Exchange& exchange() const { return exchange_; }
  Tasks& tasks() const { return connection_->service.tasks; }
  /// Gives the exchange to whatever answers it without the store. The last step.
  Exchange hand_over() { return std::move(exchange_); }

  /// The task that the request names. Throws -32602 if its caller has none with that id, or no longer.
  const TaskRecord* task() { return find(task_); }
  /// Cancels that task. False if it is over.
  std::optional<bool> cancel();
  /// Keeps answers for whoever runs that task. False if the store passes none on.
  std::optional<bool> pass_on(const JsonObject& answers);
  /// The task as it is after it was cancelled.
  const TaskRecord* task_again() { return find(task_again_); }
  const std::vector<TaskRecord>* page(std::uint64_t after, std::size_t count);
  /// Whether its caller has a task with this id. The answer is given once.
  std::optional<bool> exists(std::string_view id);

 private:
  friend class detail::Asking<TaskRequest, bool, std::optional<TaskRecord>, std::vector<TaskRecord>>;
  void answered_later();
  void go_on();
  template <class T, class Ask>
  std::optional<T> answer(Ask ask);
  const TaskRecord* find(std::optional<TaskRecord>& found);
  void wait();

  Exchange exchange_;
  const std::shared_ptr<Connection> connection_;
  const std::shared_ptr<runtime::Call> call_;
  Steps steps_;
  std::optional<TaskRecord> task_;
  std::optional<TaskRecord> task_again_;
  std::optional<bool> cancelled_;
  std::optional<bool> passed_on_;
  std::optional<std::vector<TaskRecord>> page_;
  std::atomic<bool> waits_{false};
  std::optional<engine::Timers::Handle> patience_;
};

}  // namespace toolwire::protocol
