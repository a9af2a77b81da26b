// What an input_required result looks like.
#include <vector>

#include "checks/mrtr.hpp"
#include "probe/questions.hpp"

namespace toolwire::conformance {
namespace {

/// The questions of one method that a fixture asks. `capabilities`: what the client declares.
std::vector<Json> questions_of(Probe& probe, std::string_view kind, std::string_view method, JsonObject capabilities) {
  const Callable tool = probe.need_tool(kind);
  const Json result = asked(probe, probe.opened(std::move(capabilities)), tool);
  std::vector<Json> found;
  if (const JsonObject* requests = get(result, "inputRequests").if_object()) {
    for (const auto& [key, request] : *requests) {
      if (text_of(get(request, "method")) == method) found.push_back(get(request, "params"));
    }
  }
  if (found.empty()) probe.skip("the tool asks nothing of the kind");
  return found;
}

JsonObject mrtr_everything(const Probe& probe) { return all_capabilities(probe.revision()); }

/// Each question of the kind must pass `judge`.
template <class Judge>
void mrtr_judge_each(Probe& probe, std::string_view kind, std::string_view method, JsonObject capabilities,
                     Judge judge) {
  for (const Json& params : questions_of(probe, kind, method, std::move(capabilities))) {
    if (const Complaint complaint = judge(params)) probe.fail(*complaint, shown(params));
  }
}

void only_three_methods(Probe& probe) {
  Session& session = probe.opened(mrtr_everything(probe));
  for (std::string_view method :
       {"server/discover", "tools/list", "resources/list", "resources/templates/list", "prompts/list"})
    probe.expect(!asks(session.request(method).result), "no question from " + std::string(method), "input_required");
}

void mrtr_result_type(Probe& probe) {
  const Callable tool = probe.need_tool("tool:needs-elicitation");
  const Answer answer = probe.opened(mrtr_everything(probe)).request("tools/call", tool.params());
  probe.expect_result(answer, "tools/call of " + tool.name);
  const bool has_questions = answer.result.as_object().contains("inputRequests");
  probe.expect(!has_questions || asks(answer.result), "resultType input_required beside inputRequests",
               shown(answer.result));
  if (!has_questions) probe.skip("the tool asks nothing");
}

void has_requests_or_state(Probe& probe) {
  const Json result = asked(probe, probe.opened(mrtr_everything(probe)), probe.need_tool("tool:needs-elicitation"));
  const JsonObject& members = result.as_object();
  probe.expect(members.contains("inputRequests") || members.contains("requestState"), "inputRequests or requestState",
               shown(result));
}

void state_string(Probe& probe) {
  const Json result = asked(probe, probe.opened(mrtr_everything(probe)), probe.need_tool("tool:mrtr-state"));
  const Json* state = result.as_object().if_contains("requestState");
  if (state == nullptr) probe.skip("the tool has no state");
  probe.expect(state->is_string(), "requestState, a string", shown(result));
}

void request_kinds(Probe& probe) {
  const Json result = asked(probe, probe.opened(mrtr_everything(probe)), probe.need_tool("tool:needs-elicitation"));
  for (const auto& [key, request] : get(result, "inputRequests").as_object()) {
    const std::string_view method = text_of(get(request, "method"));
    probe.expect(method == "elicitation/create" || method == "sampling/createMessage" || method == "roots/list",
                 "elicitation/create, sampling/createMessage or roots/list", shown(request));
    probe.expect(get(request, "id").is_null(), "no id in an input request", shown(request));
  }
}

/// The JSON of the line itself, for a parser keeps the last of two members with one name.
void keys_unique(Probe& probe) {
  const Callable tool = probe.need_tool("tool:mrtr-multiple");
  const Answer answer = probe.opened(mrtr_everything(probe)).request("tools/call", tool.params());
  probe.expect_result(answer, "tools/call of " + tool.name);
  try {
    parse_json(answer.message.text, {.duplicate_keys = DuplicateKeys::refuse});
  } catch (const JsonError& error) {
    probe.fail("each member once", error.what());
  }
}

void expect_questions_for_models(Probe& probe, Session& session, const Callable& tool) {
  const Answer answer = session.request("tools/call", tool.params());
  probe.expect_answer(answer, "tools/call of " + tool.name);
  if (answer.is_error()) return;
  const JsonObject* requests = get(answer.result, "inputRequests").if_object();
  for (const auto& [key, request] : requests != nullptr ? *requests : JsonObject{})
    probe.expect(text_of(get(request, "method")) == "sampling/createMessage", "questions of a declared kind only",
                 shown(request));
}

void respects_capabilities(Probe& probe) {
  std::vector<Callable> tools;
  for (std::string_view kind : with_those_that_ask_nothing({"tool:needs-elicitation"})) {
    if (probe.find(kind)) tools.push_back(probe.need_tool(kind));
  }
  if (tools.empty()) probe.need("tool:needs-elicitation");
  Session& session = probe.opened({{"sampling", JsonObject{}}});
  for (const Callable& tool : tools) expect_questions_for_models(probe, session, tool);
}

/// Asked of a client that can open pages, and has no forms.
void expect_no_form(Probe& probe, const Callable& tool) {
  Session& session = probe.opened({{"elicitation", {{"url", JsonObject{}}}}});
  const Answer answer = session.request("tools/call", tool.params());
  probe.expect_answer(answer, "tools/call of " + tool.name);
  const JsonObject* requests = get(answer.result, "inputRequests").if_object();
  for (const auto& [key, request] : requests != nullptr ? *requests : JsonObject{})
    probe.expect(text_of(get(request, "method")) != "elicitation/create" || is_url_mode(get(request, "params")),
                 "no form for a client with pages only", shown(request));
}

void mrtr_elicit_mode(Probe& probe) {
  const Callable tool = probe.need_tool("tool:needs-elicitation-url");
  for (const JsonObject& modes : {JsonObject{}, JsonObject{{"form", JsonObject{}}}}) {
    const Answer answer = probe.opened({{"elicitation", modes}}).request("tools/call", tool.params());
    probe.expect_answer(answer, "tools/call of " + tool.name);
    const JsonObject* requests = get(answer.result, "inputRequests").if_object();
    for (const auto& [key, request] : requests != nullptr ? *requests : JsonObject{})
      probe.expect(!is_url_mode(get(request, "params")), "no page for a client with forms only", shown(request));
  }
  if (probe.find("tool:needs-elicitation")) expect_no_form(probe, probe.need_tool("tool:needs-elicitation"));
}

void mrtr_sampling_tools(Probe& probe) {
  const Callable tool = probe.need_tool("tool:needs-sampling-tools");
  const Answer answer = probe.opened({{"sampling", JsonObject{}}}).request("tools/call", tool.params());
  probe.expect_answer(answer, "tools/call of " + tool.name);
  const JsonObject* requests = get(answer.result, "inputRequests").if_object();
  for (const auto& [key, request] : requests != nullptr ? *requests : JsonObject{})
    probe.expect(get(request, "params", "tools").is_null() && get(request, "params", "toolChoice").is_null(),
                 "no tools for a client without sampling.tools", shown(request));
}

/// The forms of both tools known to ask with one.
void elicit_schema_restricted(Probe& probe) {
  for (std::string_view kind : {"tool:mrtr-elicitation", "tool:needs-elicitation"}) {
    if (probe.find(kind) || kind == "tool:needs-elicitation")
      mrtr_judge_each(probe, kind, "elicitation/create", mrtr_everything(probe), judge_form);
  }
}
void elicit_url_valid(Probe& probe) {
  mrtr_judge_each(probe, "tool:needs-elicitation-url", "elicitation/create", mrtr_everything(probe),
                  [](const Json& params) { return judge_url(params, false); });
}
void mrtr_elicit_no_sensitive(Probe& probe) {
  mrtr_judge_each(probe, "tool:needs-elicitation", "elicitation/create", mrtr_everything(probe),
                  [&](const Json& params) {
                    if (const Complaint complaint = judge_secrets(params)) probe.warn(*complaint, shown(params));
                    return Complaint();
                  });
}
void mrtr_elicit_url_https(Probe& probe) {
  mrtr_judge_each(probe, "tool:needs-elicitation-url", "elicitation/create", mrtr_everything(probe), judge_url_safety);
}
void mrtr_elicit_form_no_links(Probe& probe) {
  mrtr_judge_each(probe, "tool:needs-elicitation", "elicitation/create", mrtr_everything(probe), judge_links);
}
void mrtr_sampling_shape(Probe& probe) {
  mrtr_judge_each(probe, "tool:needs-sampling", "sampling/createMessage", mrtr_everything(probe), judge_sampling);
}
void mrtr_sampling_context(Probe& probe) {
  mrtr_judge_each(probe, "tool:needs-sampling", "sampling/createMessage", {{"sampling", {{"tools", JsonObject{}}}}},
                  [](const Json& params) { return judge_sampling_context(params, false); });
}

void mrtr_sampling_toolresult_only(Probe& probe) {
  const Callable tool = probe.need_tool("tool:sampling-tool-loop");
  Session& session = probe.opened(mrtr_everything(probe));
  int round = 0;
  Complaint complaint;
  session.respond_with([&](const std::string& method, const Json& params) -> std::optional<Json> {
    if (method != "sampling/createMessage") return default_response(method, params);
    if (!complaint) complaint = judge_tool_results(params);
    const JsonArray* tools = get(params, "tools").if_array();
    if (tools == nullptr || tools->empty() || ++round > 2) return default_response(method, params);
    const JsonArray content{{{"type", "tool_use"},
                             {"id", "use-" + std::to_string(round)},
                             {"name", get(tools->front(), "name")},
                             {"input", JsonObject{}}}};
    return JsonObject{
        {"role", "assistant"}, {"content", content}, {"model", "conformance-model"}, {"stopReason", "toolUse"}};
  });
  probe.expect_answer(session.request_with_inputs("tools/call", tool.params()), "tools/call of " + tool.name);
  if (complaint) probe.fail(*complaint, "another conversation");
}

}  // namespace

std::span<const Check> mrtr_question_checks() {
  static constexpr Check checks[] = {
      {"mrtr-only-three-methods", only_three_methods},
      {"mrtr-result-type", mrtr_result_type},
      {"mrtr-has-requests-or-state", has_requests_or_state},
      {"mrtr-state-string", state_string},
      {"mrtr-request-kinds", request_kinds},
      {"mrtr-keys-unique", keys_unique},
      {"mrtr-respects-capabilities", respects_capabilities},
      {"mrtr-elicit-mode", mrtr_elicit_mode},
      {"mrtr-sampling-tools", mrtr_sampling_tools},
      {"mrtr-elicit-schema-restricted", elicit_schema_restricted},
      {"mrtr-elicit-url-valid", elicit_url_valid},
      {"mrtr-elicit-no-sensitive", mrtr_elicit_no_sensitive},
      {"mrtr-elicit-url-https", mrtr_elicit_url_https},
      {"mrtr-elicit-form-no-links", mrtr_elicit_form_no_links},
      {"mrtr-sampling-shape", mrtr_sampling_shape},
      {"mrtr-sampling-context", mrtr_sampling_context},
      {"mrtr-sampling-toolresult-only", mrtr_sampling_toolresult_only},
  };
  return checks;
}

}  // namespace toolwire::conformance
