// The extension io.modelcontextprotocol/tasks of 2026-07-28 (SEP-2663).
#include <vector>

#include "checks/groups.hpp"
#include "checks/tasks.hpp"

namespace toolwire::conformance {
namespace {

using namespace std::chrono_literals;

constexpr int invalid_params = -32602;
constexpr int method_not_found = -32601;
constexpr int missing_capability = -32021;
constexpr std::string_view extension = "io.modelcontextprotocol/tasks";

std::string shown(const Json& json) { return to_json_text(json).substr(0, 500); }

JsonObject with_extension(const Probe& probe) {
  JsonObject capabilities = all_capabilities(probe.revision());
  capabilities["extensions"] = JsonObject{{extension, JsonObject{}}};
  return capabilities;
}

void need_extension(const Probe& probe) {
  if (get(Json(probe.offer().capabilities), "extensions", extension).is_null())
    probe.skip("the server does not declare the extension " + std::string(extension));
}

Session& task_session(Probe& probe) {
  need_extension(probe);
  return probe.opened(with_extension(probe));
}

bool is_task(const Json& result) { return text_of(get(result, "resultType")) == "task"; }

/// A task of a fixture: the result that created it.
Json create(Probe& probe, Session& session, std::string_view kind, const Json& seconds = 0) {
  const Callable tool = probe.need_tool(kind, "SECONDS", seconds);
  const Answer answer = session.request("tools/call", tool.params());
  probe.expect_result(answer, "tools/call of " + tool.name);
  if (!is_task(answer.result)) probe.skip("the call of " + tool.name + " becomes no task");
  return answer.result;
}

std::string id_of(const Json& task) { return std::string(text_of(get(task, "taskId"))); }

/// Waits for the task of a fixture to reach a status, and judges it.
Json reach(Probe& probe, Session& session, std::string_view kind, std::string_view status, const Json& seconds = 0) {
  const Json task = create(probe, session, kind, seconds);
  const Json now =
      poll_task(probe, session, id_of(task), [&](const Json& it) { return status_of(it) == status || is_done(it); });
  probe.expect(status_of(now) == status, "the status " + std::string(status), shown(now));
  return now;
}

void advertised(Probe& probe) {
  const Callable tool = probe.need_tool("tool:task", "SECONDS", 0);
  const Answer answer = probe.opened(with_extension(probe)).request("tools/call", tool.params());
  if (!is_task(answer.result)) probe.skip("no call becomes a task");
  probe.expect(get(Json(probe.offer().capabilities), "extensions", extension).is_object(),
               "the extension among the capabilities", shown(Json(probe.offer().capabilities)));
}

void no_legacy_capability(Probe& probe) {
  probe.expect(!probe.offer().has("tasks"), "no capability \"tasks\"", shown(Json(probe.offer().capabilities)));
}

void expect_no_task(Probe& probe, Session& session) {
  const Callable tool = probe.need_tool("tool:task", "SECONDS", 0);
  const Answer answer = session.request("tools/call", tool.params());
  probe.expect_answer(answer, "tools/call of " + tool.name);
  probe.expect(!is_task(answer.result), "a complete result, or error -32021", shown(answer.result));
}

void undeclared_no_task(Probe& probe) {
  Session& session = task_session(probe);
  create(probe, session, "tool:task");
  session.options().capabilities = {};
  expect_no_task(probe, session);
}

void legacy_capability_not_opt_in(Probe& probe) {
  need_extension(probe);
  expect_no_task(probe, probe.opened({{"tasks", {{"requests", {{"tools", {{"call", JsonObject{}}}}}}}}}));
}

void required_error(Probe& probe) {
  need_extension(probe);
  const Callable tool = probe.need_tool("tool:task-required");
  const Answer answer = probe.opened().request("tools/call", tool.params());
  probe.expect_error(answer, {missing_capability}, "a call of " + tool.name + " without the extension");
  probe.expect(get(answer.result, "data", "requiredCapabilities", "extensions").is_object(),
               "data.requiredCapabilities.extensions", shown(answer.result));
}

void result_type(Probe& probe) {
  const Json task = create(probe, task_session(probe), "tool:task");
  probe.expect(get(task, "taskId").is_string(), "a task with the resultType task", shown(task));
}

void no_task_elsewhere(Probe& probe) {
  Session& session = task_session(probe);
  const std::string id = id_of(create(probe, session, "tool:task"));
  for (std::string_view method : {"tasks/get", "tasks/cancel"}) {
    const Answer answer = session.request(method, {{"taskId", id}});
    probe.expect(!is_task(answer.result), "resultType complete from " + std::string(method), shown(answer.result));
  }
}

void task_shape(Probe& probe) {
  const Json task = create(probe, task_session(probe), "tool:task");
  probe.expect(get(task, "taskId").is_string() && get(task, "status").is_string(), "the strings taskId and status",
               shown(task));
  probe.expect(is_timestamp(get(task, "createdAt")) && is_timestamp(get(task, "lastUpdatedAt")),
               "createdAt and lastUpdatedAt in ISO 8601", shown(task));
  const Json& ttl = get(task, "ttlMs");
  probe.expect(task.as_object().contains("ttlMs") && (ttl.is_null() || ttl.is_int64() || ttl.is_uint64()),
               "ttlMs, an integer or null", shown(task));
  const Json& interval = get(task, "pollIntervalMs");
  probe.expect(interval.is_null() || interval.is_int64() || interval.is_uint64(), "pollIntervalMs, an integer or none",
               shown(task));
  probe.expect(get(task, "task").is_null(), "a flat task", shown(task));
}

void durable_create(Probe& probe) {
  Session& session = task_session(probe);
  const Json task = create(probe, session, "tool:task", 1);
  probe.expect_result(session.request("tasks/get", {{"taskId", id_of(task)}}), "tasks/get right after the creation");
}

void get_working(Probe& probe) {
  Session& session = task_session(probe);
  const Json task = create(probe, session, "tool:task", 2);
  const Answer answer = session.request("tasks/get", {{"taskId", id_of(task)}});
  probe.expect(status_of(answer.result) == "working", "the status working", shown(answer.result));
  session.request("tasks/cancel", {{"taskId", id_of(task)}});
}

void get_completed(Probe& probe) {
  const Json task = reach(probe, task_session(probe), "tool:task", "completed");
  probe.expect(get(task, "result").is_object(), "the result within the completed task", shown(task));
}

void get_failed(Probe& probe) {
  const Json task = reach(probe, task_session(probe), "tool:task-protocol-error", "failed");
  probe.expect(get(task, "error", "code").is_number(), "the error within the failed task", shown(task));
}

void get_cancelled(Probe& probe) {
  Session& session = task_session(probe);
  const std::string id = id_of(create(probe, session, "tool:task", 5));
  probe.expect_result(session.request("tasks/cancel", {{"taskId", id}}), "tasks/cancel");
  const Json task = poll_task(probe, session, id, is_done);
  probe.expect(status_of(task) == "cancelled", "the status cancelled", shown(task));
}

void get_input_required(Probe& probe) {
  const Json task = reach(probe, task_session(probe), "tool:task-elicits", "input_required");
  probe.expect(get(task, "inputRequests").is_object(), "inputRequests within the task", shown(task));
}

void tool_error_completed(Probe& probe) {
  const Json task = reach(probe, task_session(probe), "tool:task-error", "completed");
  probe.expect(get(task, "result", "isError") == Json(true), "result.isError", shown(task));
}

void get_unknown(Probe& probe) {
  Session& session = task_session(probe);
  for (const JsonObject& params :
       {JsonObject{{"taskId", "conformance-no-such-task"}}, JsonObject{{"taskId", 5}}, JsonObject{}})
    probe.expect_error(session.request("tasks/get", params), {invalid_params},
                       "tasks/get with " + to_json_text(params));
}

void update_cancel_unknown(Probe& probe) {
  Session& session = task_session(probe);
  const JsonObject params{{"taskId", "conformance-no-such-task"}, {"inputResponses", JsonObject{}}};
  for (std::string_view method : {"tasks/update", "tasks/cancel"})
    probe.expect_error(session.request(method, params), {invalid_params}, std::string(method) + " of an unknown task");
}

void nondeclaring_methods(Probe& probe) {
  need_extension(probe);
  Session& session = probe.opened();
  const JsonObject params{{"taskId", "conformance-no-such-task"}, {"inputResponses", JsonObject{}}};
  for (std::string_view method : {"tasks/get", "tasks/update", "tasks/cancel"})
    probe.expect_error(session.request(method, params), {missing_capability},
                       std::string(method) + " without the extension");
}

JsonObject answers_to(const Json& task) {
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
  expect_empty(probe, session.request("tasks/update", {{"taskId", id_of(task)}, {"inputResponses", answers_to(task)}}),
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
  JsonObject all = answers_to(task);
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
    const JsonObject answers = answers_to(task);
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
  probe.expect_error(session.request("tasks/result", {{"taskId", "x"}}), {method_not_found}, "tasks/result");
  probe.expect_error(session.request("tasks/list"), {method_not_found}, "tasks/list");
}

void not_in_legacy(Probe& probe) {
  const Callable tool = probe.need_tool("tool:task", "SECONDS", 0);
  Session& session = probe.opened({{"extensions", {{extension, JsonObject{}}}}});
  const Answer answer = session.request("tools/call", tool.params());
  probe.expect(!is_task(answer.result), "an ordinary result in this revision", shown(answer.result));
}

JsonObject listen_to(const std::string& id) { return {{"notifications", {{"taskIds", JsonArray{id}}}}}; }

void subscribe_undeclared(Probe& probe) {
  need_extension(probe);
  const Answer answer = probe.opened().request("subscriptions/listen", listen_to("conformance-task"), 2s);
  probe.expect_error(answer, {missing_capability}, "subscriptions/listen to a task without the extension");
}

std::vector<Message> tagged(Session& session, const Json& id) {
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
  const auto notes = tagged(session, listen);
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
  for (const Message& note : tagged(session, listen))
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
  std::vector<std::string> ids;
  for (int i = 0; i < 10; ++i) ids.push_back(id_of(create(probe, session, "tool:task", 0.2)));
  for (const std::string& id : ids) {
    session.request("server/discover");
    const Json task = poll_task(probe, session, id, is_done);
    probe.expect(id_of(task) == id && status_of(task) == "completed", "each of ten tasks completed", shown(task));
  }
}

void id_entropy(Probe& probe) {
  Session& session = task_session(probe);
  std::vector<std::string> ids;
  for (int i = 0; i < 20; ++i) ids.push_back(id_of(create(probe, session, "tool:task")));
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

std::span<const Check> tasks_extension_checks() {
  static constexpr Check checks[] = {
      {"tx-advertised", advertised},
      {"tx-no-legacy-capability", no_legacy_capability},
      {"tx-undeclared-no-task", undeclared_no_task},
      {"tx-required-error", required_error},
      {"tx-result-type-task", result_type},
      {"tx-no-task-elsewhere", no_task_elsewhere},
      {"tx-task-shape", task_shape},
      {"tx-durable-create", durable_create},
      {"tx-get-working", get_working},
      {"tx-get-completed", get_completed},
      {"tx-get-failed", get_failed},
      {"tx-get-cancelled", get_cancelled},
      {"tx-get-input-required", get_input_required},
      {"tx-tool-error-completed", tool_error_completed},
      {"tx-get-unknown", get_unknown},
      {"tx-update-cancel-unknown", update_cancel_unknown},
      {"tx-nondeclaring-methods", nondeclaring_methods},
      {"tx-update-ack", update_ack},
      {"tx-update-ignore-unknown-keys", update_ignore_unknown_keys},
      {"tx-update-partial", update_partial},
      {"tx-keys-unique-lifetime", keys_unique_lifetime},
      {"tx-cancel-ack", cancel_ack},
      {"tx-terminal-stable", terminal_stable},
      {"tx-removed-result-list", removed_result_list},
      {"tx-legacy-capability-not-opt-in", legacy_capability_not_opt_in},
      {"tx-not-in-legacy", not_in_legacy},
      {"tx-subscribe-undeclared", subscribe_undeclared},
      {"tx-subscribe-notify", subscribe_notify},
      {"tx-no-progress-on-task-stream", no_progress_on_task_stream},
      {"tx-mrtr-before-task", mrtr_before_task},
      {"tx-survives-other-traffic", survives_other_traffic},
      {"tx-id-entropy", id_entropy},
      {"tx-notifications-cancelled-no-effect", notifications_cancelled_no_effect},
  };
  return checks;
}

}  // namespace toolwire::conformance
