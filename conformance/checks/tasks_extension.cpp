// The extension io.modelcontextprotocol/tasks of 2026-07-28 (SEP-2663).
#include <vector>

#include <toolwire/error.hpp>

#include "checks/groups.hpp"
#include "checks/tasks_extension.hpp"

namespace toolwire::conformance {
namespace extension_tasks {
namespace {

using namespace std::chrono_literals;

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

void undeclared_no_task(Probe& probe) {
  Session& session = task_session(probe);
  create(probe, session, "tool:task");
  session.options().capabilities = {};
  expect_no_task(probe, session);
}

void required_error(Probe& probe) {
  need_extension(probe);
  const Callable tool = probe.need_tool("tool:task-required");
  const Answer answer = probe.opened().request("tools/call", tool.params());
  probe.expect_error(answer, {error_code::missing_client_capability},
                     "a call of " + tool.name + " without the extension");
  probe.expect(get(answer.result, "data", "requiredCapabilities", "extensions").is_object(),
               "data.requiredCapabilities.extensions", shown(answer.result));
}

void tasks_extension_result_type(Probe& probe) {
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

void tasks_extension_get_unknown(Probe& probe) {
  Session& session = task_session(probe);
  for (const JsonObject& params :
       {JsonObject{{"taskId", "conformance-no-such-task"}}, JsonObject{{"taskId", 5}}, JsonObject{}})
    probe.expect_error(session.request("tasks/get", params), {error_code::invalid_params},
                       "tasks/get with " + to_json_text(params));
}

void update_cancel_unknown(Probe& probe) {
  Session& session = task_session(probe);
  const JsonObject params{{"taskId", "conformance-no-such-task"}, {"inputResponses", JsonObject{}}};
  for (std::string_view method : {"tasks/update", "tasks/cancel"})
    probe.expect_error(session.request(method, params), {error_code::invalid_params},
                       std::string(method) + " of an unknown task");
}

void nondeclaring_methods(Probe& probe) {
  need_extension(probe);
  Session& session = probe.opened();
  const JsonObject params{{"taskId", "conformance-no-such-task"}, {"inputResponses", JsonObject{}}};
  for (std::string_view method : {"tasks/get", "tasks/update", "tasks/cancel"})
    probe.expect_error(session.request(method, params), {error_code::missing_client_capability},
                       std::string(method) + " without the extension");
}

}  // namespace
}  // namespace extension_tasks

std::span<const Check> tasks_extension_checks() {
  using namespace extension_tasks;
  static const std::vector<Check> all = [] {
    std::vector<Check> checks{
        {"tx-advertised", advertised},
        {"tx-no-legacy-capability", no_legacy_capability},
        {"tx-undeclared-no-task", undeclared_no_task},
        {"tx-required-error", required_error},
        {"tx-result-type-task", tasks_extension_result_type},
        {"tx-no-task-elsewhere", no_task_elsewhere},
        {"tx-task-shape", task_shape},
        {"tx-durable-create", durable_create},
        {"tx-get-working", get_working},
        {"tx-get-completed", get_completed},
        {"tx-get-failed", get_failed},
        {"tx-get-cancelled", get_cancelled},
        {"tx-get-input-required", get_input_required},
        {"tx-tool-error-completed", tool_error_completed},
        {"tx-get-unknown", tasks_extension_get_unknown},
        {"tx-update-cancel-unknown", update_cancel_unknown},
        {"tx-nondeclaring-methods", nondeclaring_methods},
    };
    checks.insert(checks.end(), tasks_extension_update_checks().begin(), tasks_extension_update_checks().end());
    return checks;
  }();
  return all;
}

}  // namespace toolwire::conformance
