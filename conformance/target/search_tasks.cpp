// Tools whose calls become tasks: what becomes of each, and what it asks and tells on its way.
#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "driver/arguments.hpp"
#include "target/search.hpp"
#include "target/search_questions.hpp"
#include "target/search_tasks.hpp"
#include "target/tool_arguments.hpp"

namespace toolwire::conformance {
namespace tasks {

JsonObject task_call(const Search& search, const JsonObject& entry) {
  constexpr std::int64_t minute = 60'000;
  JsonObject params = entry;
  if (search.offer().revision->modern)
    params["_meta"] = JsonObject{{"io.modelcontextprotocol/clientCapabilities", capabilities_with_tasks(search)}};
  else
    params["task"] = JsonObject{{"ttl", minute}};
  return params;
}

Json task_in(const Search& search, const Json& result) {
  if (!search.offer().revision->modern) return get(result, "task");
  return text_of(get(result, "resultType")) == "task" ? result : Json(nullptr);
}

JsonObject capabilities_with_tasks(const Search& search) {
  JsonObject capabilities = all_capabilities(*search.offer().revision);
  capabilities["extensions"] = JsonObject{{extension, JsonObject{}}};
  return capabilities;
}

}  // namespace tasks

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds longest = 1s;  // of a task
constexpr std::chrono::milliseconds poll_every = 20ms;

/// What became of one task.
struct Life {
  std::string status = {};     // the last one; empty: there was no task
  std::size_t questions = 0;   // at once, at first
  std::size_t rounds = 0;      // of questions
  std::size_t progress = 0;    // notifications while it ran
  bool fails_as_tool = false;  // its result is one with isError
  bool is_over() const { return status == "completed" || status == "failed" || status == "cancelled"; }
  bool operator==(const Life&) const = default;
};

bool declares_tasks(const Search& search) {
  const Json capabilities(search.offer().capabilities);
  return search.offer().revision->modern ? !get(capabilities, "extensions", tasks::extension).is_null()
                                         : !get(capabilities, "tasks", "requests", "tools", "call").is_null();
}

/// Those of 2025-11-25 say so; the extension of later revisions leaves it to the server, call by call.
bool can_be_task(const Search& search, const Json& tool) {
  const std::string_view support = text_of(get(tool, "execution", "taskSupport"));
  return search.offer().revision->modern || support == "optional" || support == "required";
}

/// `params` of a request about a task.
JsonObject about(const Search& search, const std::string& id) {
  JsonObject params{{"taskId", id}};
  if (search.offer().revision->modern)
    params["_meta"] =
        JsonObject{{"io.modelcontextprotocol/clientCapabilities", tasks::capabilities_with_tasks(search)}};
  return params;
}

/// Answers the questions of a task that were not asked before.
void answer_round(Search& search, const std::string& id, const Json& task, std::set<std::string>& known, Life& life) {
  const JsonObject* requests = get(task, "inputRequests").if_object();
  JsonObject answers;
  for (const auto& [key, request] : requests != nullptr ? *requests : JsonObject{}) {
    if (!known.insert(std::string(key)).second) continue;
    auto answer = default_response(std::string(text_of(get(request, "method"))), get(request, "params"));
    if (answer) answers[key] = std::move(*answer);
  }
  if (answers.empty()) return;
  if (life.rounds++ == 0) life.questions = answers.size();
  JsonObject params = about(search, id);
  params["inputResponses"] = std::move(answers);
  search.ask("tasks/update", std::move(params));
}

/// In 2025-11-25 a task asks by requests, which are left alone: the answer would hide that it has asked.
void count_requests(const Session& session, std::size_t from, Life& life) {
  for (std::size_t i = from; i < session.mark(); ++i) {
    if (session.messages()[i].method() == "notifications/progress") ++life.progress;
    if (is_question(session.messages()[i])) life.questions = life.rounds = 1;
  }
}

void follow(Search& search, const std::string& id, std::size_t from, Life& life) {
  Session& session = search.session();
  const auto until = Clock::now() + longest;
  std::set<std::string> known;
  while (!life.is_over() && Clock::now() < until && !search.is_over()) {
    const Answer answer = search.ask("tasks/get", about(search, id));
    if (!answer.ok()) break;
    life.status = text_of(get(answer.result, "status"));
    life.fails_as_tool = get(answer.result, "result", "isError") == Json(true);
    answer_round(search, id, answer.result, known, life);
    const bool has_asked = std::any_of(session.messages().begin() + static_cast<std::ptrdiff_t>(from),
                                       session.messages().end(), is_question);
    if (has_asked) break;
    if (!life.is_over()) session.listen_for(poll_every);
  }
  count_requests(session, from, life);
  if (!life.is_over()) search.ask("tasks/cancel", about(search, id));
}

Life life_of(Search& search, const JsonObject& entry) {
  search.go_on();
  Session& session = search.session();
  const std::size_t before = session.mark();
  JsonObject params = tasks::task_call(search, entry);
  if (!params.contains("_meta")) params["_meta"] = JsonObject{};
  params["_meta"].get_object()["progressToken"] = "conformance-task-" + std::to_string(before);
  session.respond_with(search.offer().revision->modern ? Session::Responder(default_response) : nullptr);
  const Json task = tasks::task_in(search, search.result_of("tools/call", std::move(params)));
  Life life{.status = std::string(text_of(get(task, "status")))};
  const std::string id(text_of(get(task, "taskId")));
  if (!id.empty()) follow(search, id, before, life);
  session.respond_with(default_response);
  if (!search.offer().revision->modern && (life.status == "failed" || life.status == "completed"))
    life.fails_as_tool = get(search.ask("tasks/result", about(search, id)).result, "isError") == Json(true);
  life.progress = std::min<std::size_t>(life.progress, 1);  // how many is a matter of time
  return life;
}

std::vector<std::string_view> kinds_of(const Search& search, const Life& life) {
  std::vector<std::string_view> kinds;
  if (life.questions > 0) kinds.emplace_back("tool:task-elicits");
  if (life.questions > 1 && life.status == "completed") kinds.emplace_back("tool:task-elicits-two");
  if (life.rounds > 1 && life.status == "completed") kinds.emplace_back("tool:task-multi-round");
  if (life.fails_as_tool) kinds.emplace_back("tool:task-error");
  if (life.status == "failed" && !life.fails_as_tool) kinds.emplace_back("tool:task-protocol-error");
  if (life.progress > 0 && life.status == "completed") kinds.emplace_back("tool:task-progress");
  std::erase_if(kinds, [&](std::string_view kind) { return !search.is_open(kind); });
  return kinds;
}

/// One that asks first, and becomes a task once it is answered.
void take_asking(Search& search, const JsonObject& entry) {
  if (!search.offer().revision->modern || !search.is_open("tool:mrtr-then-task")) return;
  const JsonObject params = tasks::task_call(search, entry);
  const Answer first = search.ask("tools/call", params);
  if (!first.ok() || !asks(first.result, search)) return;
  const Rounds rounds = answered_rounds(search, "tools/call", params, first.result);
  const Json task = tasks::task_in(search, rounds.last.result);
  if (!rounds.last.ok() || task.is_null()) return;
  search.add("tool:mrtr-then-task", entry);
  search.ask("tasks/cancel", about(search, std::string(text_of(get(task, "taskId")))));
}

/// One that fails without tasks, and not with them.
void take_required(Search& search, const JsonObject& entry, const Life& life) {
  if (!search.offer().revision->modern || life.status != "completed" || !search.is_open("tool:task-required")) return;
  if (search.ask("tools/call", entry).is_error()) search.add("tool:task-required", entry);
}

}  // namespace

void search_tasks(Search& search, const std::vector<const Json*>& tools) {
  if (!declares_tasks(search)) return;
  for (const Json* tool : tools) {
    search.go_on();
    const auto made = arguments_for(get(*tool, "inputSchema"));
    if (!made || search.is_over() || !can_be_task(search, *tool)) continue;
    const JsonObject entry{{"name", get(*tool, "name")},
                           {"arguments", quick_arguments(get(*tool, "inputSchema"), get(*tool, "description"), *made)}};
    const Life life = life_of(search, entry);
    if (life.status.empty()) {
      take_asking(search, entry);
      continue;
    }
    take_required(search, entry, life);
    if (const auto kinds = kinds_of(search, life); !kinds.empty() && life_of(search, entry) == life) {
      for (const std::string_view kind : kinds) search.add(kind, entry);
    }
  }
}

}  // namespace toolwire::conformance
