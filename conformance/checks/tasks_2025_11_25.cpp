// The experimental tasks of 2025-11-25 (basic/utilities/tasks).
#include <vector>

#include <toolwire/error.hpp>

#include "checks/groups.hpp"
#include "checks/tasks_2025_11_25.hpp"

namespace toolwire::conformance {
namespace experimental_tasks {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view related = "io.modelcontextprotocol/related-task";

void capability_shape(Probe& probe) {
  probe.need_capability("tasks");
  const Json& tasks = probe.offer().capabilities.at("tasks");
  for (const Json* part : {&get(tasks, "list"), &get(tasks, "cancel"), &get(tasks, "requests")})
    probe.expect(part->is_null() || part->is_object(), "objects for list, cancel and requests", shown(tasks));
}

void undeclared_ignored(Probe& probe) {
  if (probe.offer().has("tasks")) probe.skip("the server declares tasks");
  const Answer answer = probe.session().request("tools/call", task_params(probe.any_tool()));
  probe.expect_result(answer, "tools/call with a member \"task\"");
  probe.expect(get(answer.result, "content").is_array(), "an ordinary result", shown(answer.result));
}

bool forbids_tasks(const Probe& probe, const Callable& tool) {
  const std::string_view support = text_of(get(*probe.offer().tool(tool.name), "execution", "taskSupport"));
  return support.empty() || support == "forbidden";
}

/// A refusal that comes after the tool has run is none. What tells of a run is what the tool reports meanwhile.
void expect_not_run(Probe& probe) {
  if (!probe.find("tool:progress")) return;
  const Callable tool = probe.need_tool("tool:progress");
  if (!forbids_tasks(probe, tool)) return;
  Session& session = probe.session();
  const std::size_t before = session.mark();
  JsonObject params = task_params(tool);
  params["_meta"] = JsonObject{{"progressToken", "forbidden-task"}};
  probe.expect_answer(session.request("tools/call", params), "a task of a tool that forbids it");
  for (std::size_t i = before; i < session.mark(); ++i) {
    const Message& message = session.messages()[i];
    if (get(message.json, "params", "progressToken") == Json("forbidden-task"))
      probe.fail("a refusal before the tool runs", message.text.substr(0, 300));
  }
}

void forbidden_tool(Probe& probe) {
  need_tasks(probe);
  const Callable tool = probe.need_tool("tool:text");
  if (!forbids_tasks(probe, tool)) probe.skip("the tool supports tasks");
  probe.expect_error(probe.session().request("tools/call", task_params(tool)), {error_code::method_not_found},
                     "a task of a tool that forbids it");
  expect_not_run(probe);
}

void required_tool(Probe& probe) {
  need_tasks(probe);
  const Callable tool = probe.need_tool("tool:task-required");
  if (text_of(get(*probe.offer().tool(tool.name), "execution", "taskSupport")) != "required")
    probe.skip("the tool does not require a task");
  probe.expect_error(probe.session().request("tools/call", tool.params()), {error_code::method_not_found},
                     "a plain call of a tool that requires a task");
}

void create_result(Probe& probe) {
  const Json task = create(probe, task_session(probe), "tool:task", 0.3);
  for (std::string_view member : {"taskId", "status", "createdAt", "lastUpdatedAt"})
    probe.expect(get(task, member).is_string(), "a string " + std::string(member), shown(task));
  probe.expect(task.as_object().contains("ttl"), "a ttl", shown(task));
}

void id_string_unique(Probe& probe) {
  Session& session = task_session(probe);
  std::set<std::string> ids;
  for (int i = 0; i < 20; ++i)
    probe.expect(ids.insert(id_of(create(probe, session, "tool:task"))).second, "another id for each task",
                 "one twice");
}

void starts_working(Probe& probe) {
  const Json task = create(probe, task_session(probe), "tool:task", 0.3);
  probe.expect(status_of(task) == "working", "the status working", shown(task));
}

void valid_transitions(Probe& probe) {
  Session& session = task_session(probe);
  const std::string id = id_of(create(probe, session, "tool:task", 0.1));
  const Json done = poll_task(probe, session, id, is_done);
  session.listen_for(200ms);
  const Answer later = session.request("tasks/get", {{"taskId", id}});
  probe.expect(status_of(later.result) == status_of(done), "a final state that stays", shown(later.result));
  if (get(probe.offer().capabilities.at("tasks"), "list").is_null()) return;
  const auto statuses = listed(session);
  const auto found = statuses.find(id);
  if (found == statuses.end()) return;  // t25-list-contains says so
  probe.expect(found->second == status_of(done), "the same final state in tasks/list", found->second);
}

/// A task that was seen at work for more than a second ends later than it was created, however coarse its times are.
void timestamps(Probe& probe) {
  Session& session = task_session(probe);
  const std::string id = id_of(create(probe, session, "tool:task", 1.2));
  const auto created = Clock::now();
  auto worked = created;
  const Json task = poll_task(probe, session, id, [&](const Json& it) {
    if (!is_done(it)) worked = Clock::now();
    return is_done(it);
  });
  probe.expect(is_timestamp(get(task, "createdAt")) && is_timestamp(get(task, "lastUpdatedAt")), "times in ISO 8601",
               shown(task));
  probe.expect(text_of(get(task, "lastUpdatedAt")) >= text_of(get(task, "createdAt")),
               "lastUpdatedAt not before createdAt", shown(task));
  if (worked - created > 1100ms)
    probe.expect(get(task, "lastUpdatedAt") != get(task, "createdAt"),
                 "the time at which it ended as lastUpdatedAt, not that of its creation", shown(task));
}

void ttl_present(Probe& probe) {
  Session& session = task_session(probe);
  const Answer answer = session.request("tasks/get", {{"taskId", id_of(create(probe, session, "tool:task"))}});
  const JsonObject& task = answer.result.as_object();
  probe.expect(task.contains("ttl") && (task.at("ttl").is_null() || task.at("ttl").is_number()),
               "a ttl, a number or null", shown(answer.result));
}

void tasks_2025_get_unknown(Probe& probe) {
  probe.need_capability("tasks");
  std::vector<std::string_view> methods{"tasks/get", "tasks/result"};
  if (!get(probe.offer().capabilities.at("tasks"), "cancel").is_null()) methods.emplace_back("tasks/cancel");
  for (const std::string_view method : methods)
    probe.expect_error(probe.session().request(method, {{"taskId", "conformance-no-such-task"}}),
                       {error_code::invalid_params}, std::string(method) + " of an unknown task");
}

void result_blocks(Probe& probe) {
  Session& session = task_session(probe);
  const std::string id = id_of(create(probe, session, "tool:task", 0.5));
  const Json result = session.send_request("tasks/result", {{"taskId", id}});
  const bool early = session.await(result, 100ms).ok();
  probe.expect(!early, "no result before the task is done", "one");
  probe.expect_result(session.await(result), "tasks/result once the task is done");
}

void result_equals(Probe& probe) {
  Session& session = task_session(probe);
  const Callable tool = probe.need_tool("tool:task", "SECONDS", 0);
  const Answer plain = session.request("tools/call", tool.params());
  if (!plain.ok() || get(plain.result, "isError") == Json(true)) probe.skip("the tool cannot be called without a task");
  const Answer again = session.request("tools/call", tool.params());
  const std::string id = id_of(create(probe, session, "tool:task"));
  const Answer later = session.request("tasks/result", {{"taskId", id}});
  probe.expect_result(later, "tasks/result");
  probe.expect(get(later.result, "isError") == get(plain.result, "isError") &&
                   get(later.result, "content").is_array() == get(plain.result, "content").is_array(),
               "what the plain call returns", shown(later.result));
  const bool says_the_same = get(again.result, "content") == get(plain.result, "content");
  probe.expect(!says_the_same || get(later.result, "content") == get(plain.result, "content"),
               "the content of the plain call, " + shown(get(plain.result, "content")), shown(later.result));
}

void result_related_meta(Probe& probe) {
  Session& session = task_session(probe);
  const std::string id = id_of(create(probe, session, "tool:task"));
  const Answer answer = session.request("tasks/result", {{"taskId", id}});
  probe.expect_result(answer, "tasks/result");
  probe.expect(get(answer.result, "_meta", related, "taskId") == Json(id), "_meta with the related task",
               shown(answer.result));
}

void get_no_related_meta(Probe& probe) {
  Session& session = task_session(probe);
  const Answer answer = session.request("tasks/get", {{"taskId", id_of(create(probe, session, "tool:task"))}});
  probe.expect(get(answer.result, "_meta", related).is_null(), "no related task in tasks/get", shown(answer.result));
  if (get(probe.offer().capabilities.at("tasks"), "list").is_null()) return;
  const Json list = session.request("tasks/list").result;
  probe.expect(get(list, "_meta", related).is_null(), "no related task in tasks/list", shown(list));
}

/// Runs a task that asks to its end; all its messages must name the task.
void messages_related_meta(Probe& probe) {
  Session& session = task_session(probe);
  const std::string id = id_of(create(probe, session, "tool:task-elicits"));
  session.request("tasks/result", {{"taskId", id}});
  std::size_t seen = 0;
  for (const Message& message : session.messages()) {
    if (message.kind != Message::Kind::request || message.method() == "ping") continue;
    ++seen;
    probe.expect(get(message.json, "params", "_meta", related, "taskId") == Json(id), "_meta with the related task",
                 message.text.substr(0, 300));
  }
  if (seen == 0) probe.skip("the task asks nothing");
}

void input_required(Probe& probe) {
  Session& session = task_session(probe);
  session.respond_with(nullptr);
  const std::string id = id_of(create(probe, session, "tool:task-elicits"));
  const Json task =
      poll_task(probe, session, id, [](const Json& it) { return status_of(it) == "input_required" || is_done(it); });
  probe.expect(status_of(task) == "input_required", "the status input_required while the client is asked", shown(task));
  session.request("tasks/cancel", {{"taskId", id}});
}

void param_is_truth(Probe& probe) {
  Session& session = task_session(probe);
  const std::string first = id_of(create(probe, session, "tool:task"));
  const std::string second = id_of(create(probe, session, "tool:task"));
  const Answer answer = session.request("tasks/get", {{"taskId", first}, {"_meta", {{related, {{"taskId", second}}}}}});
  probe.expect_answer(answer, "tasks/get with the related-task of another task in _meta");
  probe.expect(get(answer.result, "taskId") == Json(first), "the task of params.taskId", shown(answer.result));
}

}  // namespace
}  // namespace experimental_tasks

std::span<const Check> tasks_2025_11_25_checks() {
  using namespace experimental_tasks;
  static const std::vector<Check> all = [] {
    std::vector<Check> checks{
        {"t25-capability-shape", capability_shape},
        {"t25-undeclared-ignored", undeclared_ignored},
        {"t25-forbidden-tool", forbidden_tool},
        {"t25-required-tool", required_tool},
        {"t25-create-result", create_result},
        {"t25-id-string-unique", id_string_unique},
        {"t25-starts-working", starts_working},
        {"t25-valid-transitions", valid_transitions},
        {"t25-timestamps", timestamps},
        {"t25-ttl-present", ttl_present},
        {"t25-get-unknown", tasks_2025_get_unknown},
        {"t25-result-blocks", result_blocks},
        {"t25-result-equals", result_equals},
        {"t25-result-related-meta", result_related_meta},
        {"t25-get-no-related-meta", get_no_related_meta},
        {"t25-messages-related-meta", messages_related_meta},
        {"t25-input-required", input_required},
        {"t25-param-is-truth", param_is_truth},
    };
    checks.insert(checks.end(), tasks_2025_11_25_life_checks().begin(), tasks_2025_11_25_life_checks().end());
    return checks;
  }();
  return all;
}

}  // namespace toolwire::conformance
