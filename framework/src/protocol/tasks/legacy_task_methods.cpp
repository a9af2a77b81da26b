// tasks/result and tasks/list, which only 2025-11-25 has (basic/utilities/tasks).
#include <algorithm>
#include <charconv>
#include <utility>

#include "protocol/handlers.hpp"
#include "protocol/tasks/task.hpp"
#include "protocol/tasks/task_request.hpp"
#include "protocol/tasks/task_text.hpp"

namespace toolwire::protocol {
namespace {

constexpr std::string_view cursor_prefix = "tasks-after-";
constexpr std::size_t usual_page = 100;  // where the server lists everything else in one page

/// Throws -32603 for foreign content of the store.
Json parsed(const TaskRecord& task) {
  try {
    Json payload = parse_json(task.state.payload, {.max_depth = greatest_json_depth});
    if (payload.is_object()) return payload;
  } catch (const JsonError&) {
  }
  throw ProtocolError(error_code::internal_error, "Internal error: what the task store holds of this task is no JSON");
}

ProtocolError error_of(const TaskRecord& task) {
  if (task.state.status == TaskStatus::cancelled) {
    return ProtocolError(error_code::internal_error, "The task was cancelled, so it has no result",
                         JsonObject{{"code", "cancelled"}, {"retryable", false}});
  }
  const Json error = parsed(task);
  const JsonObject& members = error.get_object();
  const Json* data = members.if_contains("data");
  return ProtocolError(members.at("code").to_number<int>(), std::string(members.at("message").get_string()),
                       data != nullptr ? *data : Json());
}

/// Answers as the call itself would have been answered, and adds which task that belongs to. Throws ProtocolError.
void answer_with_outcome(const Exchange& exchange, const TaskRecord& task) {
  if (task.state.status != TaskStatus::completed) throw error_of(task);
  Json result = parsed(task);
  Json& meta = result.get_object()["_meta"];
  if (!meta.is_object()) meta.emplace_object();
  for (auto& [key, value] : related_meta(task.id)) meta.get_object()[key] = value;
  exchange.call->answer([&](std::string& out) { out.append(to_json_text(result)); });
}

void result(TaskRequest& request);

/// A task of another process does not report its end: it is polled, no more often than clients may.
void look_again_later(Exchange&& exchange) {
  Connection& connection = *exchange.connection;
  const auto next = engine::Timers::Clock::now() + connection.service.tasks.options().poll_interval;
  connection.channel->at(next, [exchange = std::move(exchange)]() mutable {
    if (!exchange.call->is_over()) TaskRequest::begin(std::move(exchange), result);
  });
}

/// Waits for the end of the task without holding a thread.
void result(TaskRequest& request) {
  const TaskRecord* task = request.task();
  if (task == nullptr) return;
  if (is_over(task->state.status)) return answer_with_outcome(request.exchange(), *task);
  auto running = request.tasks().running(task->id);
  if (!running) return look_again_later(request.hand_over());
  running->when_over([exchange = request.hand_over()](const TaskRecord& last) {
    try {
      answer_with_outcome(exchange, last);
    } catch (const ProtocolError& error) {
      exchange.fail(error);
    }
    exchange.connection->channel->flush_from_outside();
  });
}

std::uint64_t serial_after(const JsonObject& params) {
  const Json* cursor = params.if_contains("cursor");
  if (cursor == nullptr) return 0;
  std::uint64_t serial = 0;
  std::string_view text = cursor->is_string() ? std::string_view(cursor->get_string()) : std::string_view();
  if (text.starts_with(cursor_prefix)) {
    text.remove_prefix(cursor_prefix.size());
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), serial);
    if (error == std::errc() && end == text.data() + text.size()) return serial;
  }
  throw ProtocolError(error_code::invalid_params,
                      "Invalid params: \"cursor\" must be a nextCursor of an earlier tasks/list");
}

void list(TaskRequest& request) {
  const Exchange& exchange = request.exchange();
  const std::size_t page = exchange.connection->service.options.page;
  const std::size_t size = page > 0 ? page : usual_page;
  const std::vector<TaskRecord>* found = request.page(serial_after(exchange.arguments()), size + 1);
  if (found == nullptr) return;
  const std::size_t count = std::min(found->size(), size);
  exchange.complete([&](std::string& out) {
    out.append("\"tasks\":[");
    for (std::size_t i = 0; i < count; ++i) {
      out.append(i == 0 ? "{" : ",{");
      append_task(out, (*found)[i], *exchange.revision, request.tasks().options().poll_interval);
      out.push_back('}');
    }
    out.push_back(']');
    if (found->size() <= size) return;
    const std::string serial = std::to_string((*found)[count - 1].serial);
    out.append(",\"nextCursor\":\"").append(cursor_prefix).append(serial).append("\"");
  });
}

}  // namespace

void task_result(Exchange&& exchange) { TaskRequest::begin(std::move(exchange), result); }
void list_tasks(Exchange&& exchange) { TaskRequest::begin(std::move(exchange), list); }

}  // namespace toolwire::protocol
