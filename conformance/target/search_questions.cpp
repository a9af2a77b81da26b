#include "target/search_questions.hpp"

#include <algorithm>
#include <memory>
#include <string_view>

namespace toolwire::conformance::questions {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view reply_of_model = "A reply of the model";  // see default_response

void count(Trial& trial, const Message& message, const Json& token) {
  if (is_question(message)) {
    trial.has_asked = true;
    trial.asked.push_back(JsonObject{{"method", message.method()}, {"params", message.member("params")}});
  }
  if (message.method() == "notifications/progress" && get(message.json, "params", "progressToken") == token)
    ++trial.progress;
  if (message.method() == "notifications/message" && get(message.json, "params", "level") != Json("emergency"))
    ++trial.logs;
  if (message.method() == "notifications/message") trial.levels.emplace(text_of(get(message.json, "params", "level")));
  if (message.method().ends_with("/list_changed")) trial.changed.emplace(message.method());
  if (message.method() == "notifications/resources/updated")
    trial.updated.emplace(text_of(get(message.json, "params", "uri")));
  if (message.kind == Message::Kind::foreign) ++trial.foreign;
}

/// "sampling/createMessage", …; for a page instead of a form "elicitation/url"; "" for several of them or none.
std::string kind_of(const std::vector<Json>& asked) {
  std::string kind;
  for (const Json& question : asked) {
    std::string one(text_of(get(question, "method")));
    if (text_of(get(question, "params", "mode")) == "url") one = "elicitation/url";
    if (!kind.empty() && kind != one) return "";
    kind = std::move(one);
  }
  return kind;
}

bool wants_tools(const std::vector<Json>& asked) {
  return std::ranges::any_of(asked, [](const Json& it) { return get(it, "params", "tools").is_array(); });
}

/// Whether a form has a field with one of these keywords.
bool has_field_with(const std::vector<Json>& asked, std::initializer_list<std::string_view> keywords) {
  for (const Json& question : asked) {
    const JsonObject* fields = get(question, "params", "requestedSchema", "properties").if_object();
    for (const auto& field : fields != nullptr ? *fields : JsonObject{}) {
      if (std::ranges::any_of(keywords, [&](std::string_view it) { return !get(field.value(), it).is_null(); }))
        return true;
    }
  }
  return false;
}

std::string_view fixture_of(std::string_view kind) {
  if (kind == "sampling/createMessage") return "tool:needs-sampling";
  if (kind == "elicitation/create") return "tool:needs-elicitation";
  if (kind == "elicitation/url") return "tool:needs-elicitation-url";
  return kind == "roots/list" ? "tool:needs-roots" : "";
}

/// The kinds of fixture that a tool is which asks that.
std::vector<std::string_view> fixtures_of(const std::vector<Json>& asked) {
  const std::string kind = kind_of(asked);
  std::vector<std::string_view> fixtures;
  if (const std::string_view fixture = fixture_of(kind); !fixture.empty()) fixtures.push_back(fixture);
  if (wants_tools(asked)) fixtures.emplace_back("tool:needs-sampling-tools");
  if (kind != "elicitation/create") return fixtures;
  if (has_field_with(asked, {"default"})) fixtures.emplace_back("tool:elicitation-defaults");
  if (has_field_with(asked, {"enum", "oneOf", "items"})) fixtures.emplace_back("tool:elicitation-enums");
  return fixtures;
}

JsonObject entry_of(const Json& tool, const JsonObject& arguments) {
  return {{"name", get(tool, "name")}, {"arguments", arguments}};
}

/// Whether a call fails if the client refuses what it is asked for.
bool depends_on_the_answer(Search& search, const Json& tool, const JsonObject& arguments) {
  Session& session = search.session();
  session.respond_with(nullptr);
  const std::size_t before = session.mark();
  const Json call = session.send_request("tools/call", entry_of(tool, arguments));
  const Message* question = session.wait_for(before, is_question, search.target().timeout);
  if (question != nullptr) {
    session.send_line(to_json_text(JsonObject{{"jsonrpc", "2.0"},
                                              {"id", question->id().value()},
                                              {"error", {{"code", -1}, {"message", "The user refused"}}}}));
  }
  const Answer answer = search.await(call);
  session.respond_with(default_response);
  return answer.is_error() || get(answer.result, "isError") == Json(true);
}

/// A tool that asks the model must hand on what it says, and fail without: only then can its checks judge it.
bool is_fit(Search& search, const Json& tool, const JsonObject& arguments, const Trial& trial, std::string_view kind) {
  if (kind != "sampling/createMessage") return true;
  return to_json_text(trial.answer.result).find(reply_of_model) != std::string::npos &&
         depends_on_the_answer(search, tool, arguments);
}

/// What asks once, as most checks expect of it.
void take_one_round(Search& search, const JsonObject& entry, const Rounds& rounds, const std::vector<Json>& asked) {
  if (get(rounds.first, "requestState").is_string()) search.add("tool:mrtr-state", entry);
  if (asked.size() > 1) search.add("tool:mrtr-multiple", entry);
  if (asked.size() != 1) return;
  for (const std::string_view fixture : fixtures_of(asked)) search.add(fixture, entry);
  if (kind_of(asked) == "elicitation/create") search.add("tool:mrtr-elicitation", entry);
}

/// Of no kind that may be asked, or a form that is no object.
bool is_odd_question(const Json& question) {
  const std::string_view method = text_of(get(question, "method"));
  if (method != "elicitation/create") return method != "sampling/createMessage" && method != "roots/list";
  return text_of(get(question, "params", "mode")) != "url" &&
         text_of(get(question, "params", "requestedSchema", "type")) != "object";
}

/// Of several tools that ask one whose questions look wrong is the one to judge.
void take_odd_questions(Search& search, const JsonObject& entry, const Trial& trial) {
  if (std::ranges::any_of(trial.asked, is_odd_question)) search.add_instead("tool:needs-elicitation", entry);
  const Json& state = get(trial.answer.result, "requestState");
  if (!state.is_null() && !state.is_string()) search.add_instead("tool:mrtr-state", entry);
}

/// What a model answers that wants to use the first tool it was given; the second time, and without tools, a text.
class ToolUser {
 public:
  std::optional<Json> operator()(const std::string& method, const Json& params) {
    const JsonArray* tools = get(params, "tools").if_array();
    if (method != "sampling/createMessage" || tools == nullptr || tools->empty() || ++*asked_ > 1)
      return default_response(method, params);
    const JsonArray use{
        {{"type", "tool_use"}, {"id", "use-1"}, {"name", get(tools->front(), "name")}, {"input", JsonObject{}}}};
    return JsonObject{
        {"role", "assistant"}, {"content", use}, {"model", "conformance-model"}, {"stopReason", "toolUse"}};
  }
  int asked() const { return *asked_; }

 private:
  std::shared_ptr<int> asked_ = std::make_shared<int>(0);
};

/// One that runs the tools its model wishes for, and asks again.
void take_tool_loop(Search& search, const JsonObject& entry) {
  if (!search.is_open("tool:sampling-tool-loop")) return;
  const ToolUser model;
  search.session().respond_with(model);
  const Answer answer = search.session().request_with_inputs("tools/call", entry);
  search.session().respond_with(default_response);
  if (answer.ok() && model.asked() > 1) search.add("tool:sampling-tool-loop", entry);
}

void take_rounds(Search& search, const Json& tool, const JsonObject& arguments, const Trial& trial) {
  const JsonObject entry = entry_of(tool, arguments);
  take_odd_questions(search, entry, trial);
  if (wants_tools(trial.asked)) take_tool_loop(search, entry);
  const Rounds rounds = answered_rounds(search, "tools/call", entry, trial.answer.result);
  if (!rounds.last.ok() || asks(rounds.last.result, search) || get(rounds.last.result, "isError") == Json(true)) return;
  if (rounds.count == 1)
    take_one_round(search, entry, rounds, trial.asked);
  else
    search.add("tool:mrtr-multi-round", entry);
}

void take_requests(Search& search, const Json& tool, const JsonObject& arguments, const Trial& trial) {
  if (wants_tools(trial.asked)) take_tool_loop(search, entry_of(tool, arguments));
  const auto fixtures = fixtures_of(trial.asked);
  const bool is_wanted = std::ranges::any_of(fixtures, [&](std::string_view it) { return search.is_open(it); });
  if (!is_wanted || !trial.is_success()) return;
  const Trial again = try_tool(search, tool, arguments);
  if (fixtures_of(again.asked) != fixtures || !is_fit(search, tool, arguments, again, kind_of(again.asked))) return;
  for (const std::string_view fixture : fixtures) search.add(fixture, entry_of(tool, arguments));
}

}  // namespace

Trial try_tool(Search& search, const Json& tool, const JsonObject& arguments) {
  search.go_on();
  Session& session = search.session();
  const Json token("conformance-trial-" + std::to_string(session.mark()));
  JsonObject params = entry_of(tool, arguments);
  params["_meta"] = JsonObject{{"progressToken", token}};
  if (search.offer().revision->modern) params["_meta"].get_object()["io.modelcontextprotocol/logLevel"] = "debug";
  const std::size_t before = session.mark();
  Trial trial{.answer = search.ask("tools/call", std::move(params))};
  for (std::size_t i = before; i < session.mark(); ++i) count(trial, session.messages()[i], token);
  if (trial.answer.kind == Answer::Kind::ended && session.has_process())
    trial.crashed = session.process().wait_for_end(100ms) && session.process().ending().crashed();
  const JsonObject* inputs = get(trial.answer.result, "inputRequests").if_object();
  for (const auto& [key, request] : inputs != nullptr ? *inputs : JsonObject{}) trial.asked.push_back(request);
  return trial;
}

void take_questions(Search& search, const Json& tool, const JsonObject& arguments, const Trial& trial) {
  if (asks(trial.answer.result, search))
    take_rounds(search, tool, arguments, trial);
  else
    take_requests(search, tool, arguments, trial);
}

}  // namespace toolwire::conformance::questions
