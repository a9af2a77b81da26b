// Round trips: a question, its answer, the result.
#include <vector>

#include <toolwire/error.hpp>

#include "checks/mrtr.hpp"

namespace toolwire::conformance {
namespace {

void expect_complete(Probe& probe, const Answer& answer) {
  probe.expect_result(answer, "the retry with answers");
  probe.expect(text_of(get(answer.result, "resultType")) == "complete", "a complete result", shown(answer.result));
}

void flow(Probe& probe, std::string_view kind) {
  const Callable tool = probe.need_tool(kind);
  Session& session = probe.opened(all_capabilities(probe.revision()));
  asked(probe, session, tool);
  expect_complete(probe, session.request_with_inputs("tools/call", tool.params()));
}

void elicitation_flow(Probe& probe) { flow(probe, "tool:needs-elicitation"); }
void mrtr_sampling_flow(Probe& probe) { flow(probe, "tool:needs-sampling"); }
void mrtr_roots_flow(Probe& probe) { flow(probe, "tool:needs-roots"); }
void multiple_inputs(Probe& probe) { flow(probe, "tool:mrtr-multiple"); }
void multi_round(Probe& probe) { flow(probe, "tool:mrtr-multi-round"); }

void prompt_get(Probe& probe) {
  const Fixture prompt = probe.need("prompt:needs-input");
  Session& session = probe.opened(all_capabilities(probe.revision()));
  expect_complete(probe, session.request_with_inputs("prompts/get", {{"name", prompt.name}}));
}

void resource_read(Probe& probe) {
  const Fixture resource = probe.need("resource:needs-input");
  Session& session = probe.opened(all_capabilities(probe.revision()));
  expect_complete(probe, session.request_with_inputs("resources/read", {{"uri", resource.name}}));
}

/// A question of the elicitation fixture in a session that can answer it.
struct Flow {
  Callable tool;
  Session& session;
  Json question;
};

Flow begin(Probe& probe, std::string_view kind = "tool:needs-elicitation") {
  const Callable tool = probe.need_tool(kind);
  Session& session = probe.opened(all_capabilities(probe.revision()));
  return {tool, session, asked(probe, session, tool)};
}

void missing_response(Probe& probe) {
  const Flow it = begin(probe);
  const Answer answer = retry(it.session, it.tool, it.question, JsonObject{});
  probe.expect_result(answer, "a retry without the answer");
  probe.expect(asks(answer.result), "the question once more", shown(answer.result));
}

void extra_responses(Probe& probe) {
  const Flow it = begin(probe);
  JsonObject answers = answers_to(it.question);
  answers["conformance-nobody-asked"] = JsonObject{{"action", "accept"}, {"content", JsonObject{}}};
  expect_complete(probe, retry(it.session, it.tool, it.question, answers));
}

void invalid_response(Probe& probe) {
  const Flow it = begin(probe);
  JsonObject wrong;
  for (const auto& [key, request] : get(it.question, "inputRequests").as_object()) wrong[key] = 5;
  for (const Json& responses : {Json("x"), Json(JsonArray{}), Json(wrong)})
    probe.expect_error(retry(it.session, it.tool, it.question, responses), {error_code::invalid_params},
                       "inputResponses " + to_json_text(responses));
}

JsonObject mrtr_accepted(JsonObject content) { return {{"action", "accept"}, {"content", std::move(content)}}; }

void expect_not_taken(Probe& probe, const Flow& it, const JsonObject& answers, const std::string& what) {
  const Answer answer = retry(it.session, it.tool, it.question, answers);
  probe.expect_answer(answer, what);
  probe.expect(answer.is_error() || asks(answer.result) || get(answer.result, "isError") == Json(true),
               "an error, or the question once more, to " + what, shown(answer.result));
}

/// Fields of another type than the form says.
void expect_types_checked(Probe& probe, const Flow& it) {
  JsonObject answers;
  for (const auto& [key, request] : get(it.question, "inputRequests").as_object()) {
    JsonObject content;
    const JsonObject* properties = get(request, "params", "requestedSchema", "properties").if_object();
    for (const auto& [name, property] : properties != nullptr ? *properties : JsonObject{})
      content[name] = JsonArray{"wrong"};
    if (content.empty()) probe.skip("the form of " + it.tool.name + " has no fields");
    answers[key] = mrtr_accepted(std::move(content));
  }
  expect_not_taken(probe, it, answers, "content that does not fit the form");
}

/// A form without the fields it requires.
void expect_required_checked(Probe& probe, const Flow& it) {
  JsonObject answers;
  bool requires_any = false;
  for (const auto& [key, request] : get(it.question, "inputRequests").as_object()) {
    const JsonArray* required = get(request, "params", "requestedSchema", "required").if_array();
    requires_any |= required != nullptr && !required->empty();
    answers[key] = mrtr_accepted({});
  }
  if (requires_any) expect_not_taken(probe, it, answers, "content without a field that the form requires");
}

void response_schema_validated(Probe& probe) {
  expect_types_checked(probe, begin(probe));
  for (std::string_view kind : {"tool:needs-elicitation", "tool:mrtr-elicitation"}) {
    if (probe.find(kind)) expect_required_checked(probe, begin(probe, kind));
  }
}

void decline(Probe& probe) {
  for (const char* action : {"decline", "cancel"}) {
    const Flow it = begin(probe);
    JsonObject answers;
    for (const auto& [key, request] : get(it.question, "inputRequests").as_object())
      answers[key] = JsonObject{{"action", action}};
    probe.expect_answer(retry(it.session, it.tool, it.question, answers), std::string("the answer \"") + action + "\"");
    probe.expect_alive(it.session);
  }
}

void unsolicited_responses(Probe& probe) {
  const Callable tool = probe.any_tool();
  JsonObject params = tool.params();
  params["inputResponses"] = JsonObject{{"nobody-asked", {{"action", "accept"}, {"content", JsonObject{}}}}};
  const Answer answer = probe.opened().request("tools/call", params);
  expect_complete(probe, answer);
}

void repeat_idempotent(Probe& probe) {
  const Callable tool = probe.need_tool("tool:needs-elicitation");
  Session& session = probe.opened(all_capabilities(probe.revision()));
  const auto open = session.send_requests(1000, "tools/call", tool.params());
  for (const Json& id : open) probe.expect_answer(session.await(id), "one of 1000 abandoned calls");
  probe.expect_alive(session);
}

/// Answers to the forms of a question; each of their free texts is `text`.
JsonObject answers_with(const Json& question, const std::string& text) {
  JsonObject answers = answers_to(question);
  for (const auto& [key, request] : get(question, "inputRequests").as_object()) {
    const JsonObject* fields = get(request, "params", "requestedSchema", "properties").if_object();
    for (const auto& [name, field] : fields != nullptr ? *fields : JsonObject{}) {
      const bool is_free = text_of(get(field, "type")) == "string" && get(field, "enum").is_null() &&
                           get(field, "oneOf").is_null() && get(field, "format").is_null();
      if (is_free) answers[key].as_object()["content"].as_object()[name] = text;
    }
  }
  return answers;
}

/// What was answered in one flow has no place in the result of the other.
void parallel_flows(Probe& probe) {
  const Callable tool = probe.need_tool("tool:needs-elicitation");
  Session& session = probe.opened(all_capabilities(probe.revision()));
  const Json first = asked(probe, session, tool);
  const Json second = asked(probe, session, tool);
  const auto complete = [&](const Json& question, const std::string& own, const std::string& other) {
    const Answer answer = retry(session, tool, question, answers_with(question, own));
    expect_complete(probe, answer);
    probe.expect(to_json_text(answer.result).find(other) == std::string::npos, "a result of its own answers alone",
                 shown(answer.result));
  };
  complete(second, "the-second-flow", "the-first-flow");
  complete(first, "the-first-flow", "the-second-flow");
}

void no_server_cancel(Probe& probe) {
  const Flow it = begin(probe);
  retry(it.session, it.tool, it.question, answers_to(it.question));
  probe.expect_alive(it.session);  // by then all has come that was sent along with the answer
  for (const Message& message : it.session.messages())
    probe.expect(message.method() != "notifications/cancelled", "no cancellation of the server's own",
                 message.text.substr(0, 300));
}

void roots_uri(Probe& probe) {
  const Callable tool = probe.need_tool("tool:needs-roots");
  Session& session = probe.opened(all_capabilities(probe.revision()));
  session.respond_with([](const std::string& method, const Json& params) -> std::optional<Json> {
    if (method != "roots/list") return default_response(method, params);
    return JsonObject{
        {"roots", JsonArray{JsonObject{{"uri", "http://example.com/"}}, JsonObject{{"uri", "file:///a/../../etc"}}}}};
  });
  probe.expect_answer(session.request_with_inputs("tools/call", tool.params()), "roots that are no folders");
  probe.expect_alive(session);
}

}  // namespace

std::span<const Check> mrtr_flow_checks() {
  static constexpr Check checks[] = {
      {"mrtr-elicitation-flow", elicitation_flow},
      {"mrtr-sampling-flow", mrtr_sampling_flow},
      {"mrtr-roots-flow", mrtr_roots_flow},
      {"mrtr-multiple-inputs", multiple_inputs},
      {"mrtr-multi-round", multi_round},
      {"mrtr-prompt-get", prompt_get},
      {"mrtr-resource-read", resource_read},
      {"mrtr-missing-response", missing_response},
      {"mrtr-extra-responses", extra_responses},
      {"mrtr-invalid-response", invalid_response},
      {"mrtr-response-schema-validated", response_schema_validated},
      {"mrtr-decline", decline},
      {"mrtr-unsolicited-responses", unsolicited_responses},
      {"mrtr-repeat-idempotent", repeat_idempotent},
      {"mrtr-parallel-flows", parallel_flows},
      {"mrtr-no-server-cancel", no_server_cancel},
      {"mrtr-roots-uri", roots_uri},
  };
  return checks;
}

}  // namespace toolwire::conformance
