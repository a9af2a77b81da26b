#include "judged_dialogue.hpp"

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <thread>
#include <utility>

#include <toolwire/json_members.hpp>

namespace toolwire_test {
namespace {

using toolwire::Json;
using toolwire::JsonArray;
using toolwire::JsonObject;
using toolwire::member_or_null;
using toolwire::parse_json;
using toolwire::to_json_text;

std::string_view text_in(const Json& json) {
  return json.is_string() ? std::string_view(json.get_string()) : std::string_view();
}

JsonObject modern_meta() {
  return parse_json(R"({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "judge", "version": "1"},
    "io.modelcontextprotocol/logLevel": "debug",
    "io.modelcontextprotocol/clientCapabilities": {
      "sampling": {"tools": {}, "context": {}}, "elicitation": {"form": {}, "url": {}}, "roots": {},
      "extensions": {"io.modelcontextprotocol/tasks": {}}}})")
      .as_object();
}

Json legacy_capabilities() {
  return parse_json(R"({"sampling": {"tools": {}, "context": {}}, "elicitation": {"form": {}, "url": {}},
                        "roots": {"listChanged": true}})");
}

/// The first choice of a form's field.
Json choice_in(const Json& field) {
  for (std::string_view name : {"oneOf", "anyOf"}) {
    if (const JsonArray* titled = member_or_null(field, name).if_array())
      return member_or_null(titled->front(), "const");
  }
  if (const JsonArray* plain = member_or_null(field, "enum").if_array()) return plain->front();
  return "some text";
}

Json value_for(const Json& field) {
  const std::string_view type = text_in(member_or_null(field, "type"));
  if (type == "boolean") return true;
  if (type == "integer") return 3;
  if (type == "number") return 1.5;
  if (type == "array") return JsonArray{choice_in(member_or_null(field, "items"))};
  return choice_in(field);
}

Json filled_form(const Json& params) {
  if (text_in(member_or_null(params, "mode")) == "url") return JsonObject{{"action", "accept"}};
  JsonObject content;
  for (const auto& [name, field] : member_or_null(member_or_null(params, "requestedSchema"), "properties").as_object())
    content[name] = value_for(field);
  return JsonObject{{"action", "accept"}, {"content", std::move(content)}};
}

std::string_view status_of(const Json& answer) {
  return text_in(member_or_null(member_or_null(answer, "result"), "status"));
}

bool is_over(std::string_view status) { return status != "working" && status != "input_required"; }

}  // namespace

Json accepting_answer(std::string_view method, const Json& params) {
  if (method == "elicitation/create") return filled_form(params);
  if (method == "sampling/createMessage")
    return parse_json(R"({"role": "assistant", "model": "judge", "stopReason": "endTurn",
                          "content": {"type": "text", "text": "Paris"}})");
  if (method == "roots/list") return parse_json(R"({"roots": [{"uri": "file:///home", "name": "home"}]})");
  return JsonObject{};
}

JudgedDialogue::JudgedDialogue(std::string revision, const std::shared_ptr<toolwire::Server>& server)
    : revision_(std::move(revision)),
      modern_(revision_ >= "2026"),
      schemas_(revision_),
      served_({}, [&](const FixtureOptions&) { return server; }) {
  if (modern_) return;
  request("initialize", {{"protocolVersion", revision_},
                         {"capabilities", legacy_capabilities()},
                         {"clientInfo", JsonObject{{"name", "judge"}, {"version", "1"}}}});
  notify("notifications/initialized");
}

void JudgedDialogue::send(const Json& message) {
  schemas_.sent(message);
  served_.transport.feed_line(to_json_text(message));
}

void JudgedDialogue::notify(std::string_view method, JsonObject params) {
  JsonObject message{{"jsonrpc", "2.0"}, {"method", method}};
  if (!params.empty()) message["params"] = std::move(params);
  send(std::move(message));
}

Json JudgedDialogue::begin(std::string_view method, JsonObject params) {
  const Json id = ++ids_;
  if (modern_) {
    JsonObject meta = modern_meta();
    if (const Json* given = params.if_contains("_meta")) {
      for (const auto& [name, value] : given->as_object()) meta[name] = value;
    }
    params["_meta"] = std::move(meta);
  }
  send(JsonObject{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}});
  return id;
}

bool JudgedDialogue::read(Json& message) {
  const auto line = served_.transport.next();
  if (!line) return false;
  message = parse_json(*line);
  ++judged_;
  const std::string objection = schemas_.objection(message);
  BOOST_TEST(objection.empty(), revision_ << ": " << objection << "\n  " << line->substr(0, 600));
  return true;
}

void JudgedDialogue::answer(const JsonObject& question) {
  const std::string_view method = question.at("method").as_string();
  const Json params = member_or_null(question, "params");
  send(JsonObject{{"jsonrpc", "2.0"}, {"id", question.at("id")}, {"result", accepting_answer(method, params)}});
}

Json JudgedDialogue::answer_to(const Json& id) {
  Json message;
  while (read(message)) {
    const JsonObject& object = message.as_object();
    const bool has_id = object.contains("id");
    if (object.contains("method") && has_id) answer(object);
    if (!object.contains("method") && has_id && object.at("id") == id) return message;
  }
  BOOST_FAIL("the server ended before it answered " + to_json_text(id));
  return nullptr;
}

Json JudgedDialogue::request(std::string_view method, JsonObject params) {
  Json answer = with_answers(method, params, answer_to(begin(method, params)));
  const Json& result = member_or_null(answer, "result");
  const bool is_task =
      text_in(member_or_null(result, "resultType")) == "task" || member_or_null(result, "task").is_object();
  return is_task ? follow(result) : answer;
}

/// Repeats the call with answers until no more questions come.
Json JudgedDialogue::with_answers(std::string_view method, const JsonObject& params, Json answer) {
  while (text_in(member_or_null(member_or_null(answer, "result"), "resultType")) == "input_required") {
    const Json& result = member_or_null(answer, "result");
    JsonObject again = params;
    JsonObject responses;
    for (const auto& [key, question] : member_or_null(result, "inputRequests").as_object())
      responses[key] =
          accepting_answer(text_in(member_or_null(question, "method")), member_or_null(question, "params"));
    again["inputResponses"] = std::move(responses);
    again["requestState"] = member_or_null(result, "requestState");
    answer = answer_to(begin(method, std::move(again)));
  }
  return answer;
}

/// Polls the task until it is over, answers its questions, and fetches its result.
Json JudgedDialogue::follow(const Json& created) {
  const Json id =
      modern_ ? member_or_null(created, "taskId") : member_or_null(member_or_null(created, "task"), "taskId");
  if (!modern_) {
    Json result = answer_to(begin("tasks/result", {{"taskId", id}}));
    answer_to(begin("tasks/get", {{"taskId", id}}));
    return result;
  }
  Json state = answer_to(begin("tasks/get", {{"taskId", id}}));
  while (!is_over(status_of(state)) && member_or_null(state, "result").is_object()) {
    JsonObject responses;
    if (const JsonObject* open = member_or_null(member_or_null(state, "result"), "inputRequests").if_object()) {
      for (const auto& [key, question] : *open)
        responses[key] =
            accepting_answer(text_in(member_or_null(question, "method")), member_or_null(question, "params"));
    }
    if (!responses.empty())
      answer_to(begin("tasks/update", {{"taskId", id}, {"inputResponses", std::move(responses)}}));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    state = answer_to(begin("tasks/get", {{"taskId", id}}));
  }
  return state;
}

bool JudgedDialogue::await_notification(std::string_view method) {
  Json message;
  while (read(message)) {
    const JsonObject& object = message.as_object();
    if (object.contains("method") && object.contains("id")) answer(object);
    if (text_in(member_or_null(message, "method")) == method) return true;
  }
  return false;
}

void JudgedDialogue::end() {
  served_.transport.end_input();
  Json message;
  while (read(message)) continue;
}

}  // namespace toolwire_test
