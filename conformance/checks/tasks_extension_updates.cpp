// The extension io.modelcontextprotocol/tasks: answers, cancellation, subscriptions.
#include <algorithm>
#include <vector>

#include <toolwire/error.hpp>

#include "checks/tasks_extension.hpp"

namespace toolwire::conformance {
namespace extension_tasks {
namespace {

using namespace std::chrono_literals;

void legacy_capability_not_opt_in(Probe& probe) {
  need_extension(probe);
  expect_no_task(probe, probe.opened({{"tasks", {{"requests", {{"tools", {{"call", JsonObject{}}}}}}}}}));
}

JsonObject answers_to_task(const Json& task) {
  JsonObject answers;
  const JsonObject* requests = get(task, "inputRequests").if_object();
  for (const auto& [key, request] : requests != nullptr ? *requests : JsonObject{}) {
    auto answer = default_response(std::string(text_of(get(request, "method"))), get(request, "params"));
    if (answer) answers[key] = std::move(*answer);
  }
  return answers;
}

/// An empty acknowledgement: the type, and perhaps _meta.
void expect_empty(Probe& probe, const Answer& answer, const std::string& what) {
  probe.expect_result(answer, what);
  JsonObject rest = answer.result.as_object();
  rest.erase("_meta");
  rest.erase("resultType");
  probe.expect(rest.empty() && !is_task(answer.result), "an empty complete result", shown(answer.result));
}

void update_ack(Probe& probe) {
  Session& session = task_session(probe);
  const Json task = reach(probe, session, "tool:task-elicits", "input_required");
  expect_empty(probe,
               session.request("tasks/update", {{"taskId", id_of(task)}, {"inputResponses", answers_to_task(task)}}),
               "tasks/update");
  poll_task(probe, session, id_of(task), is_done);
}

void update_ignore_unknown_keys(Probe& probe) {
  Session& session = task_session(probe);
  const Json task = reach(probe, session, "tool:task-elicits", "input_required");
  const JsonObject extra{{"conformance-nobody-asked", {{"action", "accept"}, {"content", JsonObject{}}}}};
  expect_empty(probe, session.request("tasks/update", {{"taskId", id_of(task)}, {"inputResponses", extra}}),
               "tasks/update");
  const Answer now = session.request("tasks/get", {{"taskId", id_of(task)}});
  probe.expect(status_of(now.result) == "input_required", "a task that still waits", shown(now.result));
  session.request("tasks/cancel", {{"taskId", id_of(task)}});
}

void update_partial(Probe& probe) {
  Session& session = task_session(probe);
  const Json task = reach(probe, session, "tool:task-elicits-two", "input_required");
  JsonObject all = answers_to_task(task);
  if (all.size() < 2) probe.skip("the task asks one question only");
  const std::string kept(all.begin()->key());
  const JsonObject one{{kept, all.begin()->value()}};
  probe.expect_result(session.request("tasks/update", {{"taskId", id_of(task)}, {"inputResponses", one}}),
                      "tasks/update");
  session.request("tasks/update", {{"taskId", id_of(task)}, {"inputResponses", all}});
  probe.expect(is_done(poll_task(probe, session, id_of(task), is_done)), "an end once all is answered", "none");
}

void keys_unique_lifetime(Probe& probe) {
  Session& session = task_session(probe);
  Json task = reach(probe, session, "tool:task-multi-round", "input_required");
  std::set<std::string> seen;
  for (int round = 0; round < 10 && status_of(task) == "input_required"; ++round) {
    const JsonObject answers = answers_to_task(task);
    for (const auto& [key, answer] : answers)
      probe.expect(seen.insert(std::string(key)).second, "a key never used before in this task", std::string(key));
    session.request("tasks/update", {{"taskId", id_of(task)}, {"inputResponses", answers}});
    task = poll_task(probe, session, id_of(task), [&](const Json& it) {
      const JsonObject* open = get(it, "inputRequests").if_object();
      return is_done(it) || (status_of(it) == "input_required" && open != nullptr && !open->empty() &&
                             !seen.contains(std::string(open->begin()->key())));
    });
  }
}

void cancel_ack(Probe& probe) {
  Session& session = task_session(probe);
  const std::string id = id_of(create(probe, session, "tool:task", 5));
  expect_empty(probe, session.request("tasks/cancel", {{"taskId", id}}), "tasks/cancel");
  poll_task(probe, session, id, is_done);
  expect_empty(probe, session.request("tasks/cancel", {{"taskId", id}}), "tasks/cancel of a task that is over");
}

void terminal_stable(Probe& probe) {
  Session& session = task_session(probe);
  const Json task = reach(probe, session, "tool:task", "completed");
  session.request("tasks/cancel", {{"taskId", id_of(task)}});
  session.listen_for(100ms);
  const Answer later = session.request("tasks/get", {{"taskId", id_of(task)}});
  probe.expect(status_of(later.result) == "completed", "a task that stays completed", shown(later.result));
}

void removed_result_list(Probe& probe) {
  Session& session = task_session(probe);
  probe.expect_error(session.request("tasks/result", {{"taskId", "x"}}), {error_code::method_not_found},
                     "tasks/result");
  probe.expect_error(session.request("tasks/list"), {error_code::method_not_found}, "tasks/list");
}

void not_in_legacy(Probe& probe) {
  const Callable tool = probe.need_tool("tool:task", "SECONDS", 0);
  Session& session = probe.opened({{"extensions", {{extension, JsonObject{}}}}});
  const Answer answer = session.request("tools/call", tool.params());
  probe.expect(!is_task(answer.result), "an ordinary result in this revision", shown(answer.result));
}

JsonObject listen_to(const std::string& id) { return {{"notifications", {{"taskIds", JsonArray{id}}}}}; }

void tasks_extension_subscribe_undeclared(Probe& probe) {
  need_extension(probe);
  Session& session = probe.opened();
  const Answer answer = session.request("subscriptions/listen", listen_to("conformance-task"));
  const Message* const ack = session.wait_for_notification(0, "notifications/subscriptions/acknowledged", 0ms);
  if (answer.is_missing() && ack != nullptr)
    probe.fail("an error to subscriptions/listen to a task without the extension", ack->text.substr(0, 300));
  probe.expect_error(answer, {error_code::missing_client_capability},
                     "subscriptions/listen to a task without the extension");
}

std::vector<Message> tagged_notes(Session& session, const Json& id) {
  std::vector<Message> all;
  for (const Message& message : session.messages()) {
    const bool ours = get(message.json, "params", "_meta", "io.modelcontextprotocol/subscriptionId") == id;
    if (ours && message.method() != "notifications/subscriptions/acknowledged") all.push_back(message);
  }
  return all;
}

void subscribe_notify(Probe& probe) {
  Session& session = task_session(probe);
  const std::string id = id_of(create(probe, session, "tool:task", 0.3));
  const Json listen = session.send_request("subscriptions/listen", listen_to(id));
  poll_task(probe, session, id, is_done);
  session.listen_for(100ms);
  const auto notes = tagged_notes(session, listen);
  if (notes.empty()) probe.info("the server sends no notifications of tasks");
  for (const Message& note : notes)
    probe.expect(note.method() == "notifications/tasks" && get(note.json, "params", "taskId") == Json(id) &&
                     get(note.json, "params", "status").is_string(),
                 "notifications/tasks with the whole task", note.text.substr(0, 300));
}

void no_progress_on_task_stream(Probe& probe) {
  Session& session = task_session(probe);
  const std::string_view kind = probe.find("tool:task-progress") ? "tool:task-progress" : "tool:task";
  const std::string id = id_of(create(probe, session, kind, 0.3));
  const Json listen = session.send_request("subscriptions/listen", listen_to(id));
  poll_task(probe, session, id, is_done);
  for (const Message& note : tagged_notes(session, listen))
    probe.expect(note.method() != "notifications/progress" && note.method() != "notifications/message",
                 "neither progress nor logs for a task's subscription", note.text.substr(0, 300));
}

void mrtr_before_task(Probe& probe) {
  Session& session = task_session(probe);
  const Callable tool = probe.need_tool("tool:mrtr-then-task");
  const Answer first = session.request("tools/call", tool.params());
  probe.expect(text_of(get(first.result, "resultType")) == "input_required", "a question before the task",
               shown(first.result));
  const Answer last = session.request_with_inputs("tools/call", tool.params());
  probe.expect(is_task(last.result), "a task once the question is answered", shown(last.result));
}

void survives_other_traffic(Probe& probe) {
  Session& session = task_session(probe);
  std::vector<std::string> ids(10);
  std::ranges::generate(ids, [&] { return id_of(create(probe, session, "tool:task", 0.2)); });
  for (const std::string& id : ids) {
    session.request("server/discover");
    const Json task = poll_task(probe, session, id, is_done);
    probe.expect(id_of(task) == id && status_of(task) == "completed", "each of ten tasks completed", shown(task));
  }
}

void tasks_extension_id_entropy(Probe& probe) {
  Session& session = task_session(probe);
  std::vector<std::string> ids(20);
  std::ranges::generate(ids, [&] { return id_of(create(probe, session, "tool:task")); });
  if (look_guessable(ids)) probe.warn("ids of at least 96 random bits", ids.front() + ", " + ids.back());
}

void notifications_cancelled_no_effect(Probe& probe) {
  Session& session = task_session(probe);
  const Callable tool = probe.need_tool("tool:task", "SECONDS", 0.3);
  const Json call = session.send_request("tools/call", tool.params());
  const Answer answer = session.await(call);
  if (!is_task(answer.result)) probe.skip("the call becomes no task");
  session.notify("notifications/cancelled", {{"requestId", call}});
  const Json task = poll_task(probe, session, id_of(answer.result), is_done);
  probe.expect(status_of(task) == "completed", "a task that goes on", shown(task));
}

}  // namespace
}  // namespace extension_tasks

std::span<const Check> tasks_extension_update_checks() {
  using namespace extension_tasks;
  static constexpr Check checks[] = {
      {"tx-update-ack", update_ack},
      {"tx-update-ignore-unknown-keys", update_ignore_unknown_keys},
      {"tx-update-partial", update_partial},
      {"tx-keys-unique-lifetime", keys_unique_lifetime},
      {"tx-cancel-ack", cancel_ack},
      {"tx-terminal-stable", terminal_stable},
      {"tx-removed-result-list", removed_result_list},
      {"tx-legacy-capability-not-opt-in", legacy_capability_not_opt_in},
      {"tx-not-in-legacy", not_in_legacy},
      {"tx-subscribe-undeclared", tasks_extension_subscribe_undeclared},
      {"tx-subscribe-notify", subscribe_notify},
      {"tx-no-progress-on-task-stream", no_progress_on_task_stream},
      {"tx-mrtr-before-task", mrtr_before_task},
      {"tx-survives-other-traffic", survives_other_traffic},
      {"tx-id-entropy", tasks_extension_id_entropy},
      {"tx-notifications-cancelled-no-effect", notifications_cancelled_no_effect},
  };
  return checks;
}

}  // namespace toolwire::conformance
