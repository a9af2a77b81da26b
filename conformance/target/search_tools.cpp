// Tools that nobody named: each that may be called is, with arguments made from its schema; those it refuses once more,
// with what the others have told. What comes back, and what comes before it, says which kinds of fixture it is.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "driver/arguments.hpp"
#include "target/search.hpp"
#include "target/search_questions.hpp"
#include "target/tool_arguments.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::size_t max_tools = 64;
constexpr std::array wanted_kinds{
    "tool:echo",          "tool:text",          "tool:no-args",        "tool:with-required-args",
    "tool:image",         "tool:audio",         "tool:resource-link",  "tool:embedded-resource",
    "tool:mixed-content", "tool:error",         "tool:slow",           "tool:progress",
    "tool:logging",       "tool:structured",    "tool:needs-sampling", "tool:needs-elicitation",
    "tool:needs-roots",   "tool:task-required", "tool:task",           "tool:mutates-tool-list"};

using namespace questions;

/// The tools that may be called. First those that say they touch nothing outside: checks call one a thousand times.
std::vector<const Json*> callable_tools(const Search& search) {
  std::vector<const Json*> tools;
  for (const Json& tool : search.offer().tools) {
    if (search.target().may_call(text_of(get(tool, "name")))) tools.push_back(&tool);
  }
  std::stable_partition(tools.begin(), tools.end(),
                        [](const Json* tool) { return get(*tool, "annotations", "openWorldHint") == Json(false); });
  if (tools.size() > max_tools) tools.resize(max_tools);
  return tools;
}

JsonObject entry_of(const Json& tool, const JsonObject& arguments) {
  return {{"name", get(tool, "name")}, {"arguments", arguments}};
}

std::string texts_in(const Json& result) {
  std::string texts;
  const JsonArray* content = get(result, "content").if_array();
  for (const Json& block : content != nullptr ? *content : JsonArray{}) texts += text_of(get(block, "text"));
  return texts;
}

void take_content(Search& search, const JsonObject& entry, const Json& result) {
  const JsonArray* content = get(result, "content").if_array();
  if (content == nullptr || content->empty()) return;
  const std::string_view first = text_of(get(content->front(), "type"));
  if (std::ranges::any_of(*content, [&](const Json& it) { return text_of(get(it, "type")) != first; }))
    return search.add("tool:mixed-content", entry);
  constexpr std::pair<std::string_view, std::string_view> kinds[] = {{"text", "tool:text"},
                                                                     {"image", "tool:image"},
                                                                     {"audio", "tool:audio"},
                                                                     {"resource", "tool:embedded-resource"},
                                                                     {"resource_link", "tool:resource-link"}};
  if (only_repeats(content->front(), entry)) return;
  for (const auto& [type, kind] : kinds) {
    if (first == type) search.add(kind, entry);
  }
}

/// It says the text it is given, or is called an echo and has it in what it says: what only quotes a text may cut it.
void take_echo(Search& search, const Json& tool) {
  const std::string argument = text_argument(get(tool, "inputSchema"));
  if (argument.empty() || !search.is_open("tool:echo")) return;
  const Json result = search.result_of("tools/call", entry_of(tool, {{argument, marker}}));
  const std::string text = texts_in(result);
  if (text != marker && !(is_called_echo(tool) && text.find(marker) != std::string::npos)) return;
  search.add("tool:echo", entry_of(tool, {{argument, "<TEXT>"}}));
}

/// Once more: one that has told of its progress, or has logged, by chance, is no use.
void take_notifications(Search& search, const Json& tool, const JsonObject& arguments, const Trial& trial) {
  const bool may_progress = trial.progress > 0 && search.is_open("tool:progress");
  const bool may_log = trial.logs > 0 && search.is_open("tool:logging");
  if (!may_progress && !may_log) return;
  const Trial again = try_tool(search, tool, arguments);
  if (!again.is_success()) return;
  if (may_progress && again.progress > 0) search.add("tool:progress", entry_of(tool, arguments));
  if (may_log && again.logs > 0) search.add("tool:logging", entry_of(tool, arguments));
}

/// The notification and the kind of fixture.
constexpr std::pair<std::string_view, std::string_view> changes[] = {
    {"notifications/tools/list_changed", "tool:mutates-tool-list"},
    {"notifications/prompts/list_changed", "tool:mutates-prompt-list"},
    {"notifications/resources/list_changed", "tool:mutates-resource-list"}};

/// One that changes a list again when it is called again, where nothing changes without it.
void take_changes(Search& search, const Json& tool, const JsonObject& arguments, const Trial& trial) {
  using namespace std::chrono_literals;
  Session& session = search.session();
  for (const auto& [method, kind] : changes) {
    if (!trial.changed.contains(method) || !search.is_open(kind)) continue;
    const std::size_t before = session.mark();
    if (session.wait_for_notification(before, method, 200ms) != nullptr) continue;
    const Trial again = try_tool(search, tool, arguments);
    if (again.is_success() && again.changed.contains(method)) search.add(kind, entry_of(tool, arguments));
  }
}

void take_success(Search& search, const Json& tool, const JsonObject& arguments, const Trial& trial) {
  const JsonObject entry = entry_of(tool, arguments);
  search.learned().learn(trial.answer.result);
  const JsonArray* required = get(tool, "inputSchema", "required").if_array();
  search.add(required == nullptr || required->empty() ? "tool:no-args" : "tool:with-required-args", entry);
  if (get(tool, "outputSchema").is_object()) search.add("tool:structured", entry);
  if (get(trial.answer.result, "structuredContent").is_array()) search.add("tool:structured-array", entry);
  take_content(search, entry, trial.answer.result);
  take_echo(search, tool);
  take_notifications(search, tool, arguments, trial);
  take_changes(search, tool, arguments, trial);
  if (text_of(get(tool, "inputSchema", "$schema")).find("draft-07") != std::string_view::npos)
    search.add("tool:schema-draft07", entry);
}

/// One that has asked is no use for what expects an answer at once.
void take(Search& search, const Json& tool, const JsonObject& arguments, const Trial& trial) {
  if (trial.has_asked || asks(trial.answer.result, search)) return take_questions(search, tool, arguments, trial);
  if (trial.is_success()) take_success(search, tool, arguments, trial);
}

JsonObject all_list_changes() {
  return {
      {"notifications", {{"toolsListChanged", true}, {"promptsListChanged", true}, {"resourcesListChanged", true}}}};
}

struct Refused {
  const Json* tool;
  JsonObject arguments;
};

/// Those that said isError to what was made from their schema.
std::vector<Refused> first_pass(Search& search, const std::vector<const Json*>& tools) {
  std::vector<Refused> refused;
  for (const Json* tool : tools) {
    auto arguments = arguments_for(get(*tool, "inputSchema"));
    if (!arguments || search.is_over()) continue;
    if (text_of(get(*tool, "execution", "taskSupport")) == "required") {
      search.add("tool:task-required", entry_of(*tool, *arguments));
      continue;
    }
    arguments = quick_arguments(get(*tool, "inputSchema"), get(*tool, "description"), *arguments);
    const Trial trial = try_tool(search, *tool, *arguments);
    if (trial.is_error_result() && !trial.has_asked)
      refused.push_back({tool, *arguments});
    else
      take(search, *tool, *arguments, trial);
  }
  return refused;
}

void second_pass(Search& search, const std::vector<Refused>& refused) {
  for (const auto& [tool, made] : refused) {
    const JsonObject arguments = search.learned().better(get(*tool, "inputSchema"), made).value_or(made);
    const Trial trial = try_tool(search, *tool, arguments);
    if (!trial.is_error_result())
      take(search, *tool, arguments, trial);
    else
      search.add("tool:error", entry_of(*tool, arguments));
  }
}

}  // namespace

void search_tools(Search& search) {
  const bool is_wanted = std::ranges::any_of(wanted_kinds, [&](const char* kind) { return search.is_open(kind); });
  if (!search.offer().has("tools") || !is_wanted) return;
  if (search.offer().has("logging") && !search.offer().revision->modern)
    search.ask("logging/setLevel", {{"level", "debug"}});
  if (search.offer().revision->modern) search.session().send_request("subscriptions/listen", all_list_changes());
  const auto tools = callable_tools(search);
  second_pass(search, first_pass(search, tools));
  for (const Json* tool : tools) search_slow_tool(search, *tool);
}

}  // namespace toolwire::conformance
