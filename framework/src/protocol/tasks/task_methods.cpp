// tasks/get, tasks/update and tasks/cancel (extension io.modelcontextprotocol/tasks of 2026-07-28); the first and the
// last also as 2025-11-25 has them (basic/utilities/tasks).
#include <algorithm>
#include <utility>

#include "protocol/handlers.hpp"
#include "protocol/tasks/task.hpp"
#include "protocol/tasks/task_requests.hpp"

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

}  // namespace

void get_task(Exchange&& exchange) { answer_with(exchange, task_in(exchange)); }

void update_task(Exchange&& exchange) {
  const TaskRecord task = task_in(exchange);
  const JsonObject& responses = responses_in(exchange);
  if (auto running = exchange.connection->service.tasks.running(task.id)) {
    acknowledge(exchange);
    return running->take_answers(responses);
  }
  if (!is_over(task.state.status)) {
    throw ProtocolError(error_code::internal_error,
                        "Internal error: this task runs in another process of the server, which its answers must reach",
                        JsonObject{{"code", "other_process"}, {"retryable", false}});
  }
  acknowledge(exchange);  // no question is open any more: the answers are passed over
}

void cancel_task(Exchange&& exchange) {
  Tasks& tasks = exchange.connection->service.tasks;
  const TaskRecord task = task_in(exchange);
  const auto running = tasks.running(task.id);
  const bool cancelled = !is_over(task.state.status) && (running != nullptr ? running->cancel() : tasks.cancel(task));
  if (exchange.revision->modern) return acknowledge(exchange);
  if (!cancelled) refuse_to_cancel(task);
  answer_with(exchange, task_in(exchange));
}

}  // namespace toolwire::protocol
