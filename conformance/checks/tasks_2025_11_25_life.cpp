// The experimental tasks of 2025-11-25: lists, cancellation, what a task sends.
#include <algorithm>
#include <vector>

#include <toolwire/error.hpp>

#include "checks/tasks_2025_11_25.hpp"

namespace toolwire::conformance {
namespace experimental_tasks {
namespace {

using namespace std::chrono_literals;

void need_list(const Probe& probe) {
  need_tasks(probe);
  if (get(probe.offer().capabilities.at("tasks"), "list").is_null())
    probe.skip("the server does not declare tasks.list");
}

void list_contains(Probe& probe) {
  need_list(probe);
  Session& session = task_session(probe);
  const std::string id = id_of(create(probe, session, "tool:task"));
  probe.expect(listed(session).contains(id), "the task in tasks/list", "it is not there");
}

void list_pagination(Probe& probe) {
  need_list(probe);
  Session& session = task_session(probe);
  std::set<std::string> ids;
  for (int i = 0; i < 50; ++i) ids.insert(id_of(create(probe, session, "tool:task")));
  const auto all = listed(session);
  for (const std::string& id : ids) probe.expect(all.contains(id), "every task on some page", id + " is on none");
  probe.expect_error(session.request("tasks/list", {{"cursor", "!!not-a-cursor!!"}}), {error_code::invalid_params},
                     "tasks/list with a cursor nobody gave out");
}

void need_cancel(const Probe& probe) {
  need_tasks(probe);
  if (get(probe.offer().capabilities.at("tasks"), "cancel").is_null())
    probe.skip("the server does not declare tasks.cancel");
}

void cancel_works(Probe& probe) {
  need_cancel(probe);
  Session& session = task_session(probe);
  const std::string id = id_of(create(probe, session, "tool:task", 5));
  const Answer answer = session.request("tasks/cancel", {{"taskId", id}});
  probe.expect_result(answer, "tasks/cancel");
  probe.expect(status_of(answer.result) == "cancelled", "the task with the status cancelled", shown(answer.result));
  session.listen_for(100ms);
  const Answer later = session.request("tasks/get", {{"taskId", id}});
  probe.expect(status_of(later.result) == "cancelled", "a task that stays cancelled", shown(later.result));
}

void cancel_terminal(Probe& probe) {
  need_cancel(probe);
  Session& session = task_session(probe);
  const std::string id = id_of(create(probe, session, "tool:task"));
  poll_task(probe, session, id, is_done);
  probe.expect_error(session.request("tasks/cancel", {{"taskId", id}}), {error_code::invalid_params},
                     "tasks/cancel of a task that is over");
}

void notification_shape(Probe& probe) {
  Session& session = task_session(probe);
  poll_task(probe, session, id_of(create(probe, session, "tool:task", 0.2)), is_done);
  std::size_t seen = 0;
  for (const Message& message : session.messages()) {
    if (message.method() != "notifications/tasks/status") continue;
    ++seen;
    for (std::string_view member : {"taskId", "status", "createdAt", "lastUpdatedAt"})
      probe.expect(get(message.json, "params", member).is_string(), "a whole task", message.text.substr(0, 300));
  }
  if (seen == 0) probe.skip("the server sends no notifications/tasks/status");
}

void iserror_failed(Probe& probe) {
  Session& session = task_session(probe);
  const Json task = poll_task(probe, session, id_of(create(probe, session, "tool:task-error")), is_done);
  probe.expect(status_of(task) == "failed", "the status failed", shown(task));
}

void progress_token(Probe& probe) {
  Session& session = task_session(probe);
  const Callable tool = probe.need_tool("tool:task-progress");
  JsonObject params = task_params(tool);
  params["_meta"] = JsonObject{{"progressToken", "of-the-task"}};
  const Answer answer = session.request("tools/call", params);
  probe.expect_result(answer, "tools/call with a task and a token");
  poll_task(probe, session, id_of(get(answer.result, "task")), is_done);
  const std::size_t after = session.mark();
  session.listen_for(100ms);
  for (std::size_t i = 0; i < session.mark(); ++i) {
    const Message& message = session.messages()[i];
    if (message.method() != "notifications/progress") continue;
    probe.expect(get(message.json, "params", "progressToken") == Json("of-the-task"), "the token of the call",
                 message.text.substr(0, 300));
    probe.expect(i < after, "no progress once the task is over", message.text.substr(0, 300));
  }
}

void cancelled_notification(Probe& probe) {
  need_tasks(probe);
  Session& session = task_session(probe);
  const Callable tool = probe.need_tool("tool:task", "SECONDS", 0.3);
  const Json call = session.send_request("tools/call", task_params(tool));
  const Answer answer = session.await(call);
  probe.expect_result(answer, "tools/call with a task");
  session.notify("notifications/cancelled", {{"requestId", call}});
  const Json task = poll_task(probe, session, id_of(get(answer.result, "task")), is_done);
  probe.expect(status_of(task) == "completed", "a task that goes on", shown(task));
}

void tasks_2025_id_entropy(Probe& probe) {
  Session& session = task_session(probe);
  std::vector<std::string> ids(20);
  std::ranges::generate(ids, [&] { return id_of(create(probe, session, "tool:task")); });
  if (look_guessable(ids)) probe.warn("ids of at least 96 random bits", ids.front() + ", " + ids.back());
}

void ttl_expiry(Probe& probe) {
  Session& session = task_session(probe);
  const Callable tool = probe.need_tool("tool:task", "SECONDS", 0);
  const Answer answer = session.request("tools/call", task_params(tool, 200));
  probe.expect_result(answer, "tools/call with a ttl of 200 ms");
  session.listen_for(500ms);
  const Answer later = session.request("tasks/get", {{"taskId", id_of(get(answer.result, "task"))}});
  probe.expect_answer(later, "tasks/get after the ttl");
  probe.expect(later.ok() || later.code() == error_code::invalid_params, "the task, or error -32602", later.text());
}

void immediate_response_string(Probe& probe) {
  need_tasks(probe);
  const Callable tool = probe.need_tool("tool:task", "SECONDS", 0);
  const Answer answer = task_session(probe).request("tools/call", task_params(tool));
  const Json& immediate = get(answer.result, "_meta", "io.modelcontextprotocol/model-immediate-response");
  probe.expect(immediate.is_null() || immediate.is_string(), "a string, or none", shown(answer.result));
}

}  // namespace
}  // namespace experimental_tasks

std::span<const Check> tasks_2025_11_25_life_checks() {
  using namespace experimental_tasks;
  static constexpr Check checks[] = {
      {"t25-list-contains", list_contains},
      {"t25-list-pagination", list_pagination},
      {"t25-cancel-works", cancel_works},
      {"t25-cancel-terminal", cancel_terminal},
      {"t25-notification-shape", notification_shape},
      {"t25-iserror-failed", iserror_failed},
      {"t25-progress-token", progress_token},
      {"t25-cancelled-notification", cancelled_notification},
      {"t25-id-entropy", tasks_2025_id_entropy},
      {"t25-ttl-expiry", ttl_expiry},
      {"t25-immediate-response-string", immediate_response_string},
  };
  return checks;
}

}  // namespace toolwire::conformance
