// The server's own requests in the legacy revisions: sampling, elicitation, roots (client/*).
#include <algorithm>
#include <vector>

#include "checks/groups.hpp"
#include "checks/questions.hpp"

namespace toolwire::conformance {
namespace {

using namespace std::chrono_literals;

std::string shown(const Json& json) { return to_json_text(json).substr(0, 500); }
bool is_request(const Message& it) { return it.kind == Message::Kind::request && it.method() != "ping"; }

/// The requests of the server during one call of a fixture, answered by `responder`.
struct Asked {
  Answer answer;
  std::vector<Message> requests;
};

Asked ask(Probe& probe, std::string_view kind, JsonObject capabilities,
          const Session::Responder& responder = default_response) {
  const Callable tool = probe.need_tool(kind);
  Session& session = probe.opened(std::move(capabilities));
  session.respond_with(responder);
  const std::size_t before = session.mark();
  Asked asked{session.request("tools/call", tool.params()), {}};
  probe.expect_answer(asked.answer, "tools/call of " + tool.name);
  for (std::size_t i = before; i < session.mark(); ++i) {
    if (is_request(session.messages()[i])) asked.requests.push_back(session.messages()[i]);
  }
  return asked;
}

JsonObject everything(const Probe& probe) { return all_capabilities(probe.revision()); }

template <class Judge>
void judge_each(Probe& probe, std::string_view kind, JsonObject capabilities, std::string_view method, Judge judge) {
  std::size_t count = 0;
  for (const Message& request : ask(probe, kind, std::move(capabilities)).requests) {
    if (request.method() != method) continue;
    ++count;
    if (const Complaint complaint = judge(request.member("params")))
      probe.fail(*complaint, request.text.substr(0, 500));
  }
  if (count == 0) probe.skip("the tool asks nothing of the kind");
}

void none_without(Probe& probe, std::string_view kind, std::string_view method) {
  for (const Message& request : ask(probe, kind, {}).requests)
    probe.expect(request.method() != method, "no " + std::string(method) + ", which the client has not declared",
                 request.text.substr(0, 300));
}

void sampling_capability(Probe& probe) { none_without(probe, "tool:needs-sampling", "sampling/createMessage"); }
void elicit_capability(Probe& probe) { none_without(probe, "tool:needs-elicitation", "elicitation/create"); }
void roots_capability(Probe& probe) { none_without(probe, "tool:needs-roots", "roots/list"); }

void sampling_shape(Probe& probe) {
  judge_each(probe, "tool:needs-sampling", everything(probe), "sampling/createMessage", judge_sampling);
}
void sampling_context(Probe& probe) {
  judge_each(probe, "tool:needs-sampling", {{"sampling", JsonObject{}}}, "sampling/createMessage",
             [](const Json& params) { return judge_sampling_context(params, false); });
}
void elicit_shape(Probe& probe) {
  judge_each(probe, "tool:needs-elicitation", everything(probe), "elicitation/create", judge_form);
}
void elicit_url_fields(Probe& probe) {
  judge_each(probe, "tool:needs-elicitation-url", everything(probe), "elicitation/create",
             [](const Json& params) { return judge_url(params, true); });
}
void elicit_url_https(Probe& probe) {
  judge_each(probe, "tool:needs-elicitation-url", everything(probe), "elicitation/create", judge_url_safety);
}
void elicit_form_no_links(Probe& probe) {
  judge_each(probe, "tool:needs-elicitation", everything(probe), "elicitation/create", judge_links);
}
void elicit_defaults(Probe& probe) {
  judge_each(probe, "tool:elicitation-defaults", everything(probe), "elicitation/create", judge_defaults);
}
void elicit_enums(Probe& probe) {
  judge_each(probe, "tool:elicitation-enums", everything(probe), "elicitation/create", judge_enums);
}
void elicit_no_sensitive(Probe& probe) {
  judge_each(probe, "tool:needs-elicitation", everything(probe), "elicitation/create", [&](const Json& params) {
    if (const Complaint complaint = judge_secrets(params)) probe.warn(*complaint, shown(params));
    return Complaint();
  });
}
void roots_shape(Probe& probe) {
  judge_each(probe, "tool:needs-roots", everything(probe), "roots/list", [](const Json& params) -> Complaint {
    JsonObject rest = params.is_object() ? params.get_object() : JsonObject{};
    rest.erase("_meta");
    return rest.empty() ? Complaint() : Complaint("no params but _meta");
  });
}

void sampling_flow(Probe& probe) {
  const Asked asked = ask(probe, "tool:needs-sampling", everything(probe));
  if (asked.requests.empty()) probe.skip("the tool asks nothing");
  probe.expect(asked.answer.ok(), "a result once the question is answered", asked.answer.text());
}

/// An answer that is an error, which a responder cannot give.
void sampling_error(Probe& probe) {
  const Callable tool = probe.need_tool("tool:needs-sampling");
  Session& session = probe.opened(everything(probe));
  session.respond_with(nullptr);
  const std::size_t before = session.mark();
  const Json call = session.send_request("tools/call", tool.params());
  const Message* request = session.wait_for(before, is_request, 2s);
  if (request == nullptr) probe.skip("the tool asks nothing");
  session.send_line(to_json_text(JsonObject{
      {"jsonrpc", "2.0"}, {"id", request->id().value()}, {"error", {{"code", -1}, {"message", "The user refused"}}}}));
  probe.expect_answer(session.await(call), "a call whose question was refused");
}

void sampling_tools(Probe& probe) {
  for (const Message& request : ask(probe, "tool:needs-sampling-tools", {{"sampling", JsonObject{}}}).requests)
    probe.expect(get(request.json, "params", "tools").is_null() && get(request.json, "params", "toolChoice").is_null(),
                 "no tools for a client without sampling.tools", request.text.substr(0, 300));
}

void sampling_toolresult_only(Probe& probe) {
  int round = 0;
  Complaint complaint;
  ask(probe, "tool:sampling-tool-loop", everything(probe),
      [&](const std::string& method, const Json& params) -> std::optional<Json> {
        if (!complaint) complaint = judge_tool_results(params);
        const JsonArray* tools = get(params, "tools").if_array();
        if (method != "sampling/createMessage" || tools == nullptr || tools->empty() || ++round > 2)
          return default_response(method, params);
        const JsonArray content{{{"type", "tool_use"},
                                 {"id", "use-" + std::to_string(round)},
                                 {"name", get(tools->front(), "name")},
                                 {"input", JsonObject{}}}};
        return JsonObject{
            {"role", "assistant"}, {"content", content}, {"model", "conformance-model"}, {"stopReason", "toolUse"}};
      });
  if (complaint) probe.fail(*complaint, "another conversation");
}

void elicit_mode(Probe& probe) {
  for (const Message& request : ask(probe, "tool:needs-elicitation-url", {{"elicitation", JsonObject{}}}).requests)
    probe.expect(!is_url_mode(request.member("params")), "no page for a client with forms only",
                 request.text.substr(0, 300));
}

void elicit_actions(Probe& probe) {
  for (const char* action : {"accept", "decline", "cancel"}) {
    ask(probe, "tool:needs-elicitation", everything(probe),
        [&](const std::string& method, const Json& params) -> std::optional<Json> {
          if (std::string_view(action) == "accept") return default_response(method, params);
          return JsonObject{{"action", action}};
        });
  }
}

/// Whether the answer was trusted shows in a result without error and without a second question.
void elicit_invalid_content(Probe& probe) {
  const Asked asked = ask(probe, "tool:needs-elicitation", everything(probe),
                          [](const std::string&, const Json& params) -> std::optional<Json> {
                            JsonObject content;
                            const JsonObject* properties = get(params, "requestedSchema", "properties").if_object();
                            for (const auto& [name, property] : properties != nullptr ? *properties : JsonObject{})
                              content[name] = JsonArray{"wrong"};
                            return JsonObject{{"action", "accept"}, {"content", content}};
                          });
  if (asked.requests.empty()) probe.skip("the tool asks nothing");
  probe.expect(
      asked.answer.is_error() || get(asked.answer.result, "isError") == Json(true) || asked.requests.size() > 1,
      "an error, or the question once more", shown(asked.answer.result));
}

void elicit_complete_id(Probe& probe) {
  const Callable tool = probe.need_tool("tool:needs-elicitation-url");
  Session& session = probe.opened(everything(probe));
  session.request("tools/call", tool.params());
  session.listen_for(100ms);
  std::vector<Json> issued;
  std::size_t seen = 0;
  for (const Message& message : session.messages()) {
    if (message.method() == "elicitation/create") issued.push_back(get(message.json, "params", "elicitationId"));
    if (message.method() != "notifications/elicitation/complete") continue;
    ++seen;
    probe.expect(std::find(issued.begin(), issued.end(), get(message.json, "params", "elicitationId")) != issued.end(),
                 "an elicitationId that was given out", message.text.substr(0, 300));
  }
  if (seen == 0) probe.skip("the server sends no notifications/elicitation/complete");
}

/// An empty list, an error and two folders are all answers.
void roots_flow(Probe& probe) {
  ask(probe, "tool:needs-roots", everything(probe));
  ask(probe, "tool:needs-roots", everything(probe), [](const std::string&, const Json&) -> std::optional<Json> {
    return JsonObject{{"roots", JsonArray{}}};
  });
}

void roots_list_changed(Probe& probe) {
  Session& session = probe.opened(everything(probe));
  session.notify("notifications/roots/list_changed");
  probe.expect_alive(session);
}

void late_or_no_answer(Probe& probe) {
  const Callable tool = probe.find("tool:needs-elicitation") && probe.since("2025-06-18")
                            ? probe.need_tool("tool:needs-elicitation")
                            : probe.need_tool("tool:needs-sampling");
  Session& session = probe.opened(everything(probe));
  session.respond_with(nullptr);
  const Json call = session.send_request("tools/call", tool.params());
  if (session.wait_for(0, is_request, 2s) == nullptr) probe.skip("the tool asks nothing");
  probe.expect_alive(session);
  session.notify("notifications/cancelled", {{"requestId", call}});
  probe.expect_alive(session);
}

Json reply_of_model(const std::string& text) {
  return JsonObject{{"role", "assistant"},
                    {"content", {{"type", "text"}, {"text", text}}},
                    {"model", "m"},
                    {"stopReason", "endTurn"}};
}

std::vector<Json> wait_for_requests(Probe& probe, Session& session, std::size_t from, std::size_t count) {
  session.wait_for(
      from,
      [&](const Message&) {
        return static_cast<std::size_t>(
                   std::count_if(session.messages().begin(), session.messages().end(), is_request)) >= count;
      },
      3s);
  std::vector<Json> ids;
  for (const Message& message : session.messages()) {
    if (is_request(message)) ids.push_back(*message.id());
  }
  if (ids.size() < count) probe.skip("the tool asks nothing");
  return ids;
}

void response_matching(Probe& probe) {
  const Callable tool = probe.need_tool("tool:needs-sampling");
  Session& session = probe.opened(everything(probe));
  session.respond_with(nullptr);
  std::vector<Json> calls;
  std::vector<Json> asked;
  for (std::size_t i = 0; i < 3; ++i) {
    calls.push_back(session.send_request("tools/call", tool.params()));
    asked = wait_for_requests(probe, session, 0, i + 1);
  }
  for (std::size_t i = 3; i-- > 0;) session.answer_request(asked[i], reply_of_model("content-" + std::to_string(i)));
  for (std::size_t i = 0; i < 3; ++i) {
    const Answer answer = session.await(calls[i]);
    probe.expect_result(answer, "one of three calls whose questions were answered in reverse");
    probe.expect(to_json_text(answer.result).find("content-" + std::to_string(i)) != std::string::npos,
                 "the answer to its own question, content-" + std::to_string(i), shown(answer.result));
  }
}

void id_type_echo(Probe& probe) {
  const Callable tool = probe.need_tool("tool:needs-sampling");
  Session& session = probe.opened(everything(probe));
  session.respond_with(nullptr);
  const Json call = session.send_request("tools/call", tool.params());
  const Json asked = wait_for_requests(probe, session, 0, 1).front();
  const Json wrong = asked.is_string() ? Json(12345) : Json(to_json_text(asked));
  session.answer_request(wrong, reply_of_model("of the wrong id"));
  probe.expect_alive(session);
  session.answer_request(asked, reply_of_model("of the right id"));
  const Answer answer = session.await(call);
  probe.expect_result(answer, "a call whose question was answered");
  probe.expect(to_json_text(answer.result).find("of the wrong id") == std::string::npos, "the answer with the right id",
               shown(answer.result));
}

void malformed_answer(Probe& probe) {
  for (const Json& result : {Json(JsonObject{}), Json(5)}) {
    const Asked asked = ask(probe, "tool:needs-sampling", everything(probe),
                            [&](const std::string&, const Json&) -> std::optional<Json> { return result; });
    if (asked.requests.empty()) probe.skip("the tool asks nothing");
    probe.expect(asked.answer.is_error() || get(asked.answer.result, "isError") == Json(true),
                 "an error after the answer " + to_json_text(result), shown(asked.answer.result));
  }
}

}  // namespace

std::span<const Check> legacy_server_requests_checks() {
  static constexpr Check checks[] = {
      {"lsr-sampling-capability", sampling_capability},
      {"lsr-sampling-shape", sampling_shape},
      {"lsr-sampling-flow", sampling_flow},
      {"lsr-sampling-error", sampling_error},
      {"lsr-sampling-tools", sampling_tools},
      {"lsr-sampling-context", sampling_context},
      {"lsr-sampling-toolresult-only", sampling_toolresult_only},
      {"lsr-elicit-capability", elicit_capability},
      {"lsr-elicit-shape", elicit_shape},
      {"lsr-elicit-mode", elicit_mode},
      {"lsr-elicit-url-fields", elicit_url_fields},
      {"lsr-elicit-defaults", elicit_defaults},
      {"lsr-elicit-enums", elicit_enums},
      {"lsr-elicit-actions", elicit_actions},
      {"lsr-elicit-invalid-content", elicit_invalid_content},
      {"lsr-elicit-complete-id", elicit_complete_id},
      {"lsr-elicit-no-sensitive", elicit_no_sensitive},
      {"lsr-elicit-url-https", elicit_url_https},
      {"lsr-elicit-form-no-links", elicit_form_no_links},
      {"lsr-roots-capability", roots_capability},
      {"lsr-roots-flow", roots_flow},
      {"lsr-roots-list-changed", roots_list_changed},
      {"lsr-roots-shape", roots_shape},
      {"lsr-late-or-no-answer", late_or_no_answer},
      {"lsr-response-matching", response_matching},
      {"lsr-id-type-echo", id_type_echo},
      {"lsr-malformed-answer", malformed_answer},
  };
  return checks;
}

}  // namespace toolwire::conformance
