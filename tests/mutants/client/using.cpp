// What the client does in an open session.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "session.hpp"

using namespace toolwire;

namespace judged_client {
namespace {

using namespace std::chrono_literals;

constexpr int most_pages = 20;
constexpr int most_rounds = 10;

std::string text(const Json& json) { return json.is_string() ? std::string(json.get_string()) : std::string(); }

std::string trimmed(std::string cursor) {
  while (cursor.starts_with(' ')) cursor.erase(0, 1);
  return cursor;
}

void print(const std::string& line) {
  std::puts(line.c_str());
  std::fflush(stdout);
}

}  // namespace

/// Of a request: short where somebody waits for a fault, long where a busy machine must not be taken for one.
std::chrono::milliseconds Session::limit() const { return settings_.faults.empty() ? 2500ms : 1200ms; }

void Session::list_tools() {
  if (settings_.has("foreign-line")) link_->write("hello\n");
  if (settings_.has("vendor-method")) send_request("vendor/settings", {});
  if (settings_.has("answers-unasked")) send({{"id", 999}, {"result", JsonObject{}}});
  for (const char* method : {"prompts/list", "resources/list", "logging/setLevel", "completion/complete"}) {
    if (settings_.has("asks-everything")) send_request(method, {});
  }
  Json cursor = settings_.has("null-cursor") ? Json("") : Json(nullptr);
  for (int page = 0; page < most_pages || settings_.has("follows-endless"); ++page) {
    JsonObject params;
    if (!cursor.is_null()) params["cursor"] = cursor;
    const Json result = request("tools/list", std::move(params), limit());
    if (page == 0 && settings_.has("initialized-late")) notify("notifications/initialized");
    take_tools(result);
    const bool is_empty = member(result, "tools").is_array() && member(result, "tools").as_array().empty();
    cursor = member(result, "nextCursor");
    if (page > 0 && cursor.is_null() && settings_.has("asks-past-end")) send_request("tools/list", {{"cursor", "3"}});
    if (cursor.is_null() || settings_.has("first-page-only") || (is_empty && settings_.has("stops-at-empty-page")))
      return;
    if (settings_.has("trims-cursor")) cursor = Json(trimmed(text(cursor)));
  }
}

void Session::take_tools(const Json& result) {
  const Json tools = member(result, "tools");
  if (!tools.is_array() && settings_.has("crashes-at-odd-answer")) ::abort();
  if (!tools.is_array()) throw Ends{"no list of tools"};
  std::set<std::string> names;
  std::vector<std::string> lines;
  for (const Json& tool : tools.get_array()) {
    const std::string name = text(member(tool, "name"));
    const bool is_tool = !name.empty() && member(tool, "inputSchema").is_object();
    if (!is_tool && settings_.has("one-bad-tool")) throw Ends{"a tool that is none"};
    if (!names.insert(name).second && settings_.has("no-duplicates")) throw Ends{"a tool twice"};
    if (!member(tool, "toolwireOdd").is_null() && settings_.has("strict-members")) throw Ends{"an unknown member"};
    if (!member(member(tool, "inputSchema"), "$defs").is_null() && settings_.has("strict-schemas"))
      throw Ends{"a schema that this does not know"};
    if (is_tool) lines.push_back(name + ": " + text(member(tool, "description")));
  }
  for (const std::string& line : lines) print(line);
}

JsonObject Session::answers_to(const Json& questions) const {
  JsonObject answers;
  for (const auto& [key, question] : questions.as_object()) {
    const std::string method = text(member(question, "method"));
    JsonObject answer = answer_question(settings_, method, member(question, "params"));
    const bool answers_any = settings_.has("answers-any-input") || settings_.has("answers-any-input-shortly");
    if (answer.contains("error") && !answers_any) throw Ends{"a question of an unknown kind"};
    const std::string name = settings_.has("renames-keys") ? "answer-" + std::string(key) : std::string(key);
    if (settings_.has("answers-any-input-shortly"))
      answers[name] = "yes";
    else if (settings_.has("answers-any-input"))
      answers[name] = JsonObject{{"action", "accept"}};
    else
      answers[name] = settings_.has("input-as-response") ? Json(answer) : answer["result"];
  }
  return answers;
}

/// The params of the call with what was asked for.
JsonObject Session::next_round(const Json& result, const JsonObject& params) {
  JsonObject next = params;
  next.erase("_meta");
  Json state = member(result, "requestState");
  if (first_state_.is_null()) first_state_ = state;
  if (settings_.has("first-state")) state = first_state_;
  if (settings_.has("changes-state") && !state.is_null()) state = Json(trimmed(text(state)) + "=");
  if (settings_.has("invents-state") && state.is_null()) state = Json("none");
  if (!state.is_null()) next["requestState"] = state;
  if (member(result, "inputRequests").is_object()) next["inputResponses"] = answers_to(member(result, "inputRequests"));
  if (settings_.has("retry-other-arguments")) next["arguments"] = JsonObject{{"text", "other"}};
  if (settings_.has("retry-same-id")) --last_id_;
  return next;
}

void Session::call_tool() {
  Json arguments = parse_json(settings_.arguments);
  if (settings_.has("arguments-text")) arguments = Json(settings_.arguments);
  const JsonObject params{{"name", settings_.tool}, {"arguments", arguments}};
  JsonObject now = params;
  for (int round = 0; round < most_rounds || settings_.has("endless-rounds"); ++round) {
    Json token = Json(last_id_ + 1);
    if (settings_.has("token-fraction")) token = Json(1.5);
    if (settings_.has("token-null")) token = nullptr;
    if (settings_.has("same-token")) send_request("ping", {{"_meta", JsonObject{{"progressToken", token}}}});
    now["_meta"] = JsonObject{{"progressToken", token}};
    const Json result = request("tools/call", now, limit());
    const Json type = member(result, "resultType");
    if (modern_ && type.is_null() && settings_.has("needs-result-type")) throw Ends{"no resultType"};
    if (type != Json("input_required")) {
      if (modern_ && !type.is_null() && type != Json("complete") && !settings_.has("any-result-type"))
        throw Ends{"an unknown kind of result"};
      return show(result);
    }
    if (settings_.has("no-retry") || (round == 1 && settings_.has("one-round"))) throw Ends{"input is required"};
    now = next_round(result, params);
  }
  throw Ends{"input is required again and again"};
}

void Session::show(const Json& result) {
  const Json content = member(result, "content");
  if (!content.is_array() && settings_.has("crashes-at-odd-answer")) ::abort();
  if (!content.is_array()) throw Ends{"a result without content"};
  const bool failed = member(result, "isError") == Json(true);
  if (failed && settings_.has("hides-errors")) throw Ends{"the tool has failed"};
  for (const Json& part : content.get_array()) {
    if (member(part, "type") != Json("text") && settings_.has("strict-content")) throw Ends{"unknown content"};
  }
  for (const Json& part : content.get_array()) {
    if (member(part, "type") == Json("text")) print(text(member(part, "text")));
  }
}

void Session::listen() {
  JsonObject params;
  if (!settings_.has("listen-empty")) params["notifications"] = JsonObject{{"toolsListChanged", true}};
  send_request("subscriptions/listen", std::move(params));
}

/// Hears for a moment what still comes, and leaves.
void Session::part() {
  if (settings_.has("shows-last-answer")) {
    const Json again = wait_for(last_id_, 200ms);
    if (!again.is_null()) show(member(again, "result"));
  }
  wait_for("nothing", settings_.listens ? 300ms : 60ms);
  for (int i = 0; settings_.has("ends-by-sigpipe") && i < 3; ++i) {
    notify("notifications/roots/list_changed");
    ::usleep(20000);
  }
  if (settings_.has("no-line-feed")) link_->write("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}");
}

}  // namespace judged_client
