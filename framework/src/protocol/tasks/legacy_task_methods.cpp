// tasks/result and tasks/list, which only 2025-11-25 has (basic/utilities/tasks).
#include <charconv>
#include <utility>

#include "protocol/handlers.hpp"
#include "protocol/tasks/task.hpp"
#include "protocol/tasks/task_requests.hpp"

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

/// What the call itself would have been answered with, and which task that belongs to. Throws ProtocolError.
void answer_with_outcome(const Exchange& exchange, const TaskRecord& task) {
  if (task.state.status != TaskStatus::completed) throw error_of(task);
  Json result = parsed(task);
  Json& meta = result.get_object()["_meta"];
  if (!meta.is_object()) meta.emplace_object();
  for (auto& [key, value] : related_meta(task.id)) meta.get_object()[key] = value;
  exchange.call->answer([&](std::string& out) { out.append(to_json_text(result)); });
}

/// A task of another process does not report its end: it is polled, no more often than clients may.
void look_again_later(Exchange exchange, std::string id) {
  Connection& connection = *exchange.connection;
  const auto next = runtime::Timers::Clock::now() + connection.service.tasks.options().poll_interval;
  connection.crew.at(next, [exchange = std::move(exchange), id = std::move(id)] {
    if (exchange.call->is_over()) return;
    try {
      const TaskRecord task = task_in(exchange);
      if (!is_over(task.state.status)) return look_again_later(exchange, id);
      answer_with_outcome(exchange, task);
    } catch (const ProtocolError& error) {
      exchange.fail(error);
    }
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

}  // namespace

/// Waits for the end of the task without holding a thread.
void task_result(Exchange&& exchange) {
  const TaskRecord task = task_in(exchange);
  if (is_over(task.state.status)) return answer_with_outcome(exchange, task);
  auto running = exchange.connection->service.tasks.running(task.id);
  if (!running) return look_again_later(std::move(exchange), task.id);
  running->when_over([exchange = std::move(exchange)](const TaskRecord& last) {
    try {
      answer_with_outcome(exchange, last);
    } catch (const ProtocolError& error) {
      exchange.fail(error);
    }
    exchange.connection->crew.flush_from_outside();
  });
}

void list_tasks(Exchange&& exchange) {
  Tasks& tasks = exchange.connection->service.tasks;
  const std::size_t page = exchange.connection->service.options.page;
  const std::size_t size = page > 0 ? page : usual_page;
  std::vector<TaskRecord> found = tasks.list(serial_after(exchange.arguments()), size + 1);
  const bool more = found.size() > size;
  if (more) found.pop_back();
  exchange.complete([&](std::string& out) {
    out.append("\"tasks\":[");
    for (const TaskRecord& task : found) {
      out.append(&task == &found.front() ? "{" : ",{");
      append_task(out, task, *exchange.revision, tasks.options().poll_interval);
      out.push_back('}');
    }
    out.push_back(']');
    if (more)
      out.append(",\"nextCursor\":\"").append(cursor_prefix).append(std::to_string(found.back().serial)).append("\"");
  });
}

}  // namespace toolwire::protocol
