// Tools that nobody named: each that may be called is, with arguments made from its schema; those it refuses once more,
// with what the others have told. What comes back, and what comes before it, says which kinds of fixture it is.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include <toolwire/schema.hpp>

#include "driver/arguments.hpp"
#include "target/search.hpp"
#include "target/search_questions.hpp"
#include "target/tool_arguments.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::size_t max_tools = 128;
constexpr std::array wanted_kinds{"tool:echo",
                                  "tool:text",
                                  "tool:no-args",
                                  "tool:with-required-args",
                                  "tool:image",
                                  "tool:audio",
                                  "tool:resource-link",
                                  "tool:embedded-resource",
                                  "tool:mixed-content",
                                  "tool:error",
                                  "tool:slow",
                                  "tool:progress",
                                  "tool:logging",
                                  "tool:structured",
                                  "tool:needs-sampling",
                                  "tool:needs-elicitation",
                                  "tool:needs-roots",
                                  "tool:task-required",
                                  "tool:task",
                                  "tool:mutates-tool-list",
                                  "tool:echo-json",
                                  "tool:big-output",
                                  "tool:prints",
                                  "tool:throws",
                                  "tool:touches-resource"};

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

bool is_odd_block(const Json& block) {
  const Json& priority = get(block, "annotations", "priority");
  const double value = priority.is_number() ? priority.to_number<double>() : 0;
  return (text_of(get(block, "type")) == "text" && !get(block, "text").is_string()) || value < 0 || value > 1;
}

bool fits_its_schema(const Json& tool, const Json& structured) {
  try {
    return Schema::compile(get(tool, "outputSchema")).is_valid(structured);
  } catch (const SchemaError&) {
    return true;  // the lint reports it
  }
}

/// Of several tools of a kind one whose result looks wrong is the one to judge.
void take_oddities(Search& search, const Json& tool, const JsonObject& entry, const Json& result) {
  const Json& content = get(result, "content");
  const JsonArray* blocks = content.if_array();
  if ((blocks == nullptr && !content.is_null()) || (blocks != nullptr && std::ranges::any_of(*blocks, is_odd_block)))
    search.add_instead("tool:text", entry);
  if (const Json& flag = get(result, "isError"); !flag.is_null() && !flag.is_bool())
    search.add_instead("tool:error", entry);
  if (!get(tool, "outputSchema").is_object() || fits_its_schema(tool, get(result, "structuredContent"))) return;
  search.add_instead("tool:structured", entry);
  if (text_of(get(tool, "outputSchema", "type")) == "array") search.add_instead("tool:structured-array", entry);
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

/// The same of any value: its text comes back as JSON.
void take_json_echo(Search& search, const Json& tool) {
  const std::string argument = argument_of_any_kind(get(tool, "inputSchema"));
  if (argument.empty() || !search.is_open("tool:echo-json")) return;
  for (const Json& value : {Json(JsonArray{JsonObject{{"a", 1}}, "b"}), Json(7)}) {
    const Json result = search.result_of("tools/call", entry_of(tool, {{argument, value}}));
    try {
      if (parse_json(texts_in(result)) != value) return;
    } catch (const JsonError&) {
      return;  // another text
    }
  }
  search.add("tool:echo-json", entry_of(tool, {{argument, "<JSON>"}}));
}

/// Its text is longer by as much as its argument is larger, or what it writes to standard error.
void take_size(Search& search, const Json& tool) {
  const auto sized = sized_arguments(get(tool, "inputSchema"));
  if (!sized || !(search.is_open("tool:big-output") || search.is_open("tool:stderr-flood"))) return;
  const auto size_of = [&](int bytes) {
    return texts_in(search.result_of("tools/call", entry_of(tool, filled(*sized, "BYTES", bytes)))).size();
  };
  if (const std::size_t little = size_of(100); little >= 100 && size_of(3100) == little + 3000)
    search.add("tool:big-output", entry_of(tool, *sized));
  const std::size_t before = search.session().has_process() ? search.session().process().errors().size() : 0;
  if (search.is_open("tool:stderr-flood") && search.session().has_process() && size_of(3100) < 3100) {
    search.session().listen_for(std::chrono::milliseconds(20));
    if (search.session().process().errors().size() >= before + 3100)
      search.add("tool:stderr-flood", entry_of(tool, *sized));
  }
}

/// Once more: one that has told of its progress, or has logged, by chance, is no use.
void take_notifications(Search& search, const Json& tool, const JsonObject& arguments, const Trial& trial) {
  constexpr std::size_t several_levels = 3;
  const JsonObject entry = entry_of(tool, arguments);
  const auto new_in = [&](const Trial& it) {
    std::vector<std::string_view> kinds;
    if (it.progress > 0 && search.is_open("tool:progress")) kinds.emplace_back("tool:progress");
    if (it.logs > 0 && search.is_open("tool:logging")) kinds.emplace_back("tool:logging");
    if (it.levels.size() >= several_levels && search.is_open("tool:logging-all-levels"))
      kinds.emplace_back("tool:logging-all-levels");
    if (it.foreign > 0 && search.is_open("tool:prints")) kinds.emplace_back("tool:prints");
    return kinds;
  };
  const auto kinds = new_in(trial);
  if (kinds.empty()) return;
  const Trial again = try_tool(search, tool, arguments);
  if (!again.is_success()) return;
  for (const std::string_view kind : new_in(again)) {
    if (std::ranges::find(kinds, kind) != kinds.end()) search.add(kind, entry);
  }
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

/// One that says that a resource has changed whenever it is called, and nobody says so without it.
void take_updates(Search& search, const Json& tool, const JsonObject& arguments, const Trial& trial) {
  using namespace std::chrono_literals;
  if (trial.updated.empty() || !search.is_open("tool:touches-resource")) return;
  Session& session = search.session();
  const std::size_t before = session.mark();
  if (session.wait_for_notification(before, "notifications/resources/updated", 200ms) != nullptr) return;
  const std::string uri = *trial.updated.begin();
  const Trial again = try_tool(search, tool, arguments);
  if (!again.is_success() || !again.updated.contains(uri)) return;
  search.add_instead("resource:subscribable", {{"uri", uri}});
  search.add("tool:touches-resource", entry_of(tool, arguments));
}

/// One that does not survive a call, twice.
void take_crash(Search& search, const Json& tool, const JsonObject& arguments) {
  if (search.is_open("tool:throws") && try_tool(search, tool, arguments).crashed)
    search.add("tool:throws", entry_of(tool, arguments));
}

/// Whether it has the keywords whose way through the server is looked at, and admits no other arguments.
bool is_rich(const Json& schema) {
  return get(schema, "$defs").is_object() && get(schema, "additionalProperties") == Json(false) &&
         to_json_text(schema).find("\"$ref\"") != std::string::npos;
}

void take_success(Search& search, const Json& tool, const JsonObject& arguments, const Trial& trial) {
  const JsonObject entry = entry_of(tool, arguments);
  search.learned().learn(trial.answer.result);
  const JsonArray* required = get(tool, "inputSchema", "required").if_array();
  search.add(required == nullptr || required->empty() ? "tool:no-args" : "tool:with-required-args", entry);
  if (get(tool, "outputSchema").is_object()) search.add("tool:structured", entry);
  if (get(trial.answer.result, "inputRequests").is_object()) search.add_instead("tool:needs-elicitation", entry);
  if (get(trial.answer.result, "structuredContent").is_array()) search.add("tool:structured-array", entry);
  take_oddities(search, tool, entry, trial.answer.result);
  take_content(search, entry, trial.answer.result);
  take_echo(search, tool);
  take_notifications(search, tool, arguments, trial);
  take_changes(search, tool, arguments, trial);
  take_updates(search, tool, arguments, trial);
  take_json_echo(search, tool);
  take_size(search, tool);
  const std::string_view dialect = text_of(get(tool, "inputSchema", "$schema"));
  if (dialect.find("draft-07") != std::string_view::npos) search.add("tool:schema-draft07", entry);
  if (dialect.find("2020-12") != std::string_view::npos && is_rich(get(tool, "inputSchema")))
    search.add("tool:schema-2020-12", entry);
}

/// One that has asked is no use for what expects an answer at once.
void take(Search& search, const Json& tool, const JsonObject& arguments, const Trial& trial) {
  if (trial.has_asked || asks(trial.answer.result, search)) return take_questions(search, tool, arguments, trial);
  if (trial.is_success()) take_success(search, tool, arguments, trial);
  if (trial.crashed) take_crash(search, tool, arguments);
}

/// URIs of the first resources.
JsonArray some_resources(const Offer& offer) {
  constexpr std::size_t max_watched = 12;
  JsonArray uris;
  for (const Json& resource : offer.resources) {
    if (uris.size() < max_watched) uris.push_back(get(resource, "uri"));
  }
  return uris;
}

/// Asks for everything the server may say while tools are tried.
void listen_to_all(Search& search) {
  const Offer& offer = search.offer();
  if (offer.revision->modern) {
    JsonObject wishes{{"toolsListChanged", true}, {"promptsListChanged", true}, {"resourcesListChanged", true}};
    if (const JsonArray uris = some_resources(offer); !uris.empty()) wishes["resourceSubscriptions"] = uris;
    search.session().send_request("subscriptions/listen", {{"notifications", wishes}});
    return;
  }
  if (offer.has("logging")) search.ask("logging/setLevel", {{"level", "debug"}});
  if (!offer.has("resources") || get(offer.capabilities.at("resources"), "subscribe") != Json(true)) return;
  for (const Json& uri : some_resources(offer)) search.ask("resources/subscribe", {{"uri", uri}});
}

/// The lists, their methods and members, and what changes them.
struct Listing {
  std::string_view capability, method, member, key, kind;
};
constexpr Listing listings[] = {{"tools", "tools/list", "tools", "name", "tool:mutates-tool-list"},
                                {"prompts", "prompts/list", "prompts", "name", "tool:mutates-prompt-list"},
                                {"resources", "resources/list", "resources", "uri", "tool:mutates-resource-list"}};

/// The keys of all that is listed; empty if that is an error.
std::vector<std::string> keys_of(Search& search, const Listing& listing) {
  constexpr int max_pages = 20;
  std::vector<std::string> keys;
  JsonObject params;
  for (int page = 0; page < max_pages; ++page) {
    const Json result = search.result_of(listing.method, params);
    const JsonArray* items = get(result, listing.member).if_array();
    for (const Json& item : items != nullptr ? *items : JsonArray{}) keys.emplace_back(text_of(get(item, listing.key)));
    if (!get(result, "nextCursor").is_string()) break;
    params["cursor"] = get(result, "nextCursor");
  }
  return keys;
}

/// Where a list that is to be told of has changed without a word: the tool that changes it, twice.
void search_silent_changes(Search& search, const Listing& listing, const std::vector<const Json*>& tools) {
  const Json capabilities(search.offer().capabilities);
  if (!search.is_open(listing.kind) || get(capabilities, listing.capability, "listChanged") != Json(true)) return;
  const JsonArray& first = listing.capability == "tools"     ? search.offer().tools
                           : listing.capability == "prompts" ? search.offer().prompts
                                                             : search.offer().resources;
  auto now = keys_of(search, listing);
  const bool is_same = std::ranges::equal(
      first, now, [&](const Json& item, const std::string& key) { return text_of(get(item, listing.key)) == key; });
  if (now.empty() || is_same || keys_of(search, listing) != now) return;
  for (const Json* tool : tools) {
    search.go_on();
    const auto arguments = arguments_for(get(*tool, "inputSchema"));
    if (!arguments || search.is_over()) continue;
    const JsonObject entry =
        entry_of(*tool, quick_arguments(get(*tool, "inputSchema"), get(*tool, "description"), *arguments));
    const auto changes_it = [&] {
      if (search.result_of("tools/call", entry).is_null()) return false;
      const auto before = std::exchange(now, keys_of(search, listing));
      return !now.empty() && now != before;
    };
    if (changes_it() && changes_it()) return search.add(listing.kind, entry);
  }
}

struct Refused {
  const Json* tool;
  JsonObject arguments;
};

/// Those that said isError to what was made from their schema.
std::vector<Refused> first_pass(Search& search, const std::vector<const Json*>& tools) {
  std::vector<Refused> refused;
  for (const Json* tool : tools) {
    search.go_on();
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
  search.prepare([&] { listen_to_all(search); });
  const auto tools = callable_tools(search);
  second_pass(search, first_pass(search, tools));
  for (const Json* tool : tools) search_slow_tool(search, *tool);
  search_tasks(search, tools);
  for (const Listing& listing : listings) search_silent_changes(search, listing, tools);
}

}  // namespace toolwire::conformance
