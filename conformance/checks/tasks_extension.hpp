// What the checks of the extension io.modelcontextprotocol/tasks share.
#pragma once

#include <vector>

#include "checks/tasks.hpp"
#include "probe/check.hpp"

namespace toolwire::conformance {

std::span<const Check> tasks_extension_update_checks();

namespace extension_tasks {

inline constexpr std::string_view extension = "io.modelcontextprotocol/tasks";

inline JsonObject with_extension(const Probe& probe) {
  JsonObject capabilities = all_capabilities(probe.revision());
  capabilities["extensions"] = JsonObject{{extension, JsonObject{}}};
  return capabilities;
}

inline void need_extension(const Probe& probe) {
  if (get(Json(probe.offer().capabilities), "extensions", extension).is_null())
    probe.skip("the server does not declare the extension " + std::string(extension));
}

inline Session& task_session(Probe& probe) {
  need_extension(probe);
  return probe.opened(with_extension(probe));
}

inline bool is_task(const Json& result) { return text_of(get(result, "resultType")) == "task"; }

/// A task of a fixture: the result that created it.
inline Json create(Probe& probe, Session& session, std::string_view kind, const Json& seconds = 0) {
  const Callable tool = probe.need_tool(kind, "SECONDS", seconds);
  const Answer answer = session.request("tools/call", tool.params());
  probe.expect_result(answer, "tools/call of " + tool.name);
  if (!is_task(answer.result)) probe.skip("the call of " + tool.name + " becomes no task");
  return answer.result;
}

inline std::string id_of(const Json& task) { return std::string(text_of(get(task, "taskId"))); }

/// Waits for the task of a fixture to reach a status, and judges it.
inline Json reach(Probe& probe, Session& session, std::string_view kind, std::string_view status,
                  const Json& seconds = 0) {
  const Json task = create(probe, session, kind, seconds);
  Json now =
      poll_task(probe, session, id_of(task), [&](const Json& it) { return status_of(it) == status || is_done(it); });
  probe.expect(status_of(now) == status, "the status " + std::string(status), shown(now));
  return now;
}

inline void expect_no_task(Probe& probe, Session& session) {
  const Callable tool = probe.need_tool("tool:task", "SECONDS", 0);
  const Answer answer = session.request("tools/call", tool.params());
  probe.expect_answer(answer, "tools/call of " + tool.name);
  probe.expect(!is_task(answer.result), "a complete result, or error -32021", shown(answer.result));
}

}  // namespace extension_tasks

}  // namespace toolwire::conformance
