// What the checks of the experimental tasks of 2025-11-25 share.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "checks/tasks.hpp"
#include "probe/check.hpp"

namespace toolwire::conformance {

std::span<const Check> tasks_2025_11_25_life_checks();

namespace experimental_tasks {

inline void need_tasks(const Probe& probe) {
  probe.need_capability("tasks");
  if (get(probe.offer().capabilities.at("tasks"), "requests", "tools", "call").is_null())
    probe.skip("the server declares no tasks of tools/call");
}

inline JsonObject task_params(const Callable& tool, std::int64_t ttl = 60'000) {
  JsonObject params = tool.params();
  params["task"] = JsonObject{{"ttl", ttl}};
  return params;
}

inline Json create(Probe& probe, Session& session, std::string_view kind, const Json& seconds = 0) {
  need_tasks(probe);
  const Callable tool = probe.need_tool(kind, "SECONDS", seconds);
  const Answer answer = session.request("tools/call", task_params(tool));
  probe.expect_result(answer, "tools/call of " + tool.name + " with a task");
  const Json& task = get(answer.result, "task");
  probe.expect(task.is_object(), "a member \"task\" in the result", shown(answer.result));
  return task;
}

inline Session& task_session(Probe& probe) {
  need_tasks(probe);
  return probe.opened(all_capabilities(probe.revision()));
}

inline std::string id_of(const Json& task) { return std::string(text_of(get(task, "taskId"))); }

/// What tasks/list says, on all its pages: the status of each task, by its id.
inline std::map<std::string, std::string> listed(Session& session) {
  std::map<std::string, std::string> statuses;
  JsonObject params;
  for (int page = 0; page < 100; ++page) {
    const Answer answer = session.request("tasks/list", params);
    const JsonArray* tasks = get(answer.result, "tasks").if_array();
    for (const Json& task : tasks != nullptr ? *tasks : JsonArray{}) statuses[id_of(task)] = status_of(task);
    if (!get(answer.result, "nextCursor").is_string()) break;
    params["cursor"] = get(answer.result, "nextCursor");
  }
  return statuses;
}

}  // namespace experimental_tasks

}  // namespace toolwire::conformance
