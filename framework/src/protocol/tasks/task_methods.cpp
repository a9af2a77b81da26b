// tasks/get, tasks/update and tasks/cancel (extension io.modelcontextprotocol/tasks of 2026-07-28); the first and the
// last also as 2025-11-25 has them (basic/utilities/tasks).
#include <algorithm>
#include <utility>

#include "protocol/handlers.hpp"
#include "protocol/tasks/task.hpp"
#include "protocol/tasks/task_request.hpp"
#include "protocol/tasks/task_text.hpp"

namespace toolwire::protocol {
namespace {

void answer_with(const Exchange& exchange, const TaskRecord& task) {
  const auto poll = exchange.connection->service.tasks.options().poll_interval;
  exchange.complete([&](std::string& out) {
    exchange.revision->modern ? append_detailed_task(out, task, *exchange.revision, poll)
                              : append_task(out, task, *exchange.revision, poll);
  });
}

void acknowledge(const Exchange& exchange) {
  exchange.complete([](std::string&) {});
}

const JsonObject& responses_in(const Exchange& exchange) {
  const Json* responses = exchange.arguments().if_contains("inputResponses");
  const JsonObject* object = responses != nullptr ? responses->if_object() : nullptr;
  const bool usable =
      object != nullptr && std::ranges::all_of(*object, [](const auto& entry) { return entry.value().is_object(); });
  if (usable) return *object;
  throw ProtocolError(error_code::invalid_params,
                      "Invalid params: \"inputResponses\" must be an object of objects, one for each answered request");
}

/// 2025-11-25: a finished task cannot be cancelled.
[[noreturn]] void refuse_to_cancel(const TaskRecord& task) {
  throw ProtocolError(error_code::invalid_params, "Invalid params: the task cannot be cancelled, it is over: " +
                                                      std::string(name_of(task.state.status)));
}

[[noreturn]] void refuse_answers() {
  throw ProtocolError(error_code::internal_error,
                      "Internal error: this task runs in another process of the server, which its answers must reach",
                      JsonObject{{"code", "other_process"}, {"retryable", false}});
}

void get(TaskRequest& request) {
  if (const TaskRecord* task = request.task()) answer_with(request.exchange(), *task);
}

void update(TaskRequest& request) {
  const TaskRecord* task = request.task();
  if (task == nullptr) return;
  const Exchange& exchange = request.exchange();
  const JsonObject& responses = responses_in(exchange);
  if (auto running = request.tasks().running(task->id)) {
    acknowledge(exchange);
    return running->take_answers(responses);
  }
  if (!is_over(task->state.status)) {
    const std::optional<bool> passed_on = request.pass_on(responses);
    if (!passed_on) return;
    if (!*passed_on) refuse_answers();
  }
  acknowledge(exchange);  // where no question is open any more, the answers are passed over
}

void cancel(TaskRequest& request) {
  const TaskRecord* before = request.task();
  if (before == nullptr) return;
  const std::optional<bool> cancelled = request.cancel();
  if (!cancelled) return;
  if (request.exchange().revision->modern) return acknowledge(request.exchange());
  if (!*cancelled) refuse_to_cancel(*before);
  if (const TaskRecord* now = request.task_again()) answer_with(request.exchange(), *now);
}

}  // namespace

void get_task(Exchange&& exchange) { TaskRequest::begin(std::move(exchange), get); }
void update_task(Exchange&& exchange) { TaskRequest::begin(std::move(exchange), update); }
void cancel_task(Exchange&& exchange) { TaskRequest::begin(std::move(exchange), cancel); }

}  // namespace toolwire::protocol
