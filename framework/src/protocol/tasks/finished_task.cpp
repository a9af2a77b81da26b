#include "protocol/tasks/finished_task.hpp"

#include <exception>
#include <memory>
#include <utility>
#include <variant>

#include "protocol/request_for.hpp"
#include "protocol/tasks/task.hpp"
#include "protocol/tasks/tasks.hpp"
#include "protocol/tools/tool_call.hpp"
#include "toolwire/detail/task_work.hpp"

namespace toolwire::protocol {
namespace {

using MaybeTask = std::optional<TaskRecord>;
using detail::TaskWork;

/// One search, for one who asks.
class Finishing : public std::enable_shared_from_this<Finishing> {
 public:
  Finishing(const Exchange& asker, Done<MaybeTask> done)
      : connection_(asker.connection), revision_(asker.revision), client_(asker.client), done_(std::move(done)) {}

  void find(std::string_view id) { tasks().find(id, client_->principal.id, to<MaybeTask, &Finishing::found>()); }

 private:
  Tasks& tasks() const { return connection_->service.tasks; }

  template <class T, void (Finishing::*step)(typename Done<T>::Result&&)>
  Done<T> to() {
    return Done<T>::template to<step>(shared_from_this());
  }

  void found(Done<MaybeTask>::Result&& found) {
    if (const auto* why = std::get_if<std::exception_ptr>(&found)) return done_.fail(*why);
    task_ = std::move(std::get<MaybeTask>(found));
    if (!task_ || is_over(task_->state.status) || !is_abandoned(*task_, time_now())) return done_(std::move(task_));
    detail::task_work_of(tasks().store())->look(task_->id, to<TaskWork::Found, &Finishing::looked>());
  }

  void looked(Done<TaskWork::Found>::Result&& looked) {
    auto* const work = std::get_if<TaskWork::Found>(&looked);
    if (work == nullptr || work->stage != TaskWork::Stage::ended) return done_(std::move(task_));
    result_ = std::move(work->result);
    connection_->channel->post([self = shared_from_this()] { self->finish(); });
  }

  /// Where the tool is not there at the moment, the task stays as it is.
  void finish() {
    const auto tool = connection_->service.tools.find(task_->tool);
    if (!tool) return done_(std::move(task_));
    const auto task = std::make_shared<Task>(connection_, *revision_, std::move(*task_));
    const auto request = std::make_shared<RequestFor<ToolCall>>(exchange_of(task));
    task->when_over([self = shared_from_this()](const TaskRecord& last) { self->done_(last); });
    request->kind().has_found(tool);
    try {
      request->prepare();
      request->kind().answer(*request, std::move(result_));
    } catch (const ProtocolError& error) {
      request->fail(error);
    }
  }

  /// With a call of its own, whose answer is the end of the task.
  Exchange exchange_of(const std::shared_ptr<Task>& task) const {
    Exchange made;
    made.connection = connection_;
    made.revision = revision_;
    made.client = client_;
    made.params = Json(JsonObject{});
    made.task = task.get();
    runtime::InFlight& in_flight = connection_->in_flight;
    auto [call, refusal] = in_flight.begin({"0", "f" + task->id()}, task);
    in_flight.settle(*call);
    task->runs_as(call);
    made.call = std::move(call);
    return made;
  }

  const std::shared_ptr<Connection> connection_;
  const Revision* const revision_;
  const std::shared_ptr<const Client> client_;
  Done<MaybeTask> done_;
  MaybeTask task_;
  ToolResult result_;
};

}  // namespace

void find_finished(const Exchange& asker, std::string_view id, Done<std::optional<TaskRecord>> done) {
  Tasks& tasks = asker.connection->service.tasks;
  if (detail::task_work_of(tasks.store()) == nullptr) return tasks.find(id, asker.caller(), std::move(done));
  std::make_shared<Finishing>(asker, std::move(done))->find(id);
}

}  // namespace toolwire::protocol
