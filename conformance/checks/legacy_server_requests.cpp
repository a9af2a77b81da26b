// The server's own requests in the legacy revisions: sampling, elicitation, roots (client/*).
#include <algorithm>
#include <vector>

#include "checks/groups.hpp"
#include "checks/legacy_server_requests.hpp"

namespace toolwire::conformance {
namespace {

using namespace server_requests;
using namespace std::chrono_literals;

template <class Judge>
void legacy_judge_each(Probe& probe, std::string_view kind, JsonObject capabilities, std::string_view method,
                       Judge judge) {
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

/// Lists of contents came with 2025-11-25.
Complaint judge_single_contents(const Json& params) {
  const JsonArray* messages = get(params, "messages").if_array();
  if (messages == nullptr) return std::nullopt;
  const bool single = std::ranges::all_of(*messages, [](const Json& it) { return get(it, "content").is_object(); });
  return single ? Complaint() : Complaint("one content, an object, in each message");
}

void legacy_sampling_shape(Probe& probe) {
  legacy_judge_each(probe, "tool:needs-sampling", everything(probe), "sampling/createMessage", [&](const Json& params) {
    const Complaint complaint = judge_sampling(params);
    return complaint || probe.since("2025-11-25") ? complaint : judge_single_contents(params);
  });
}
void legacy_sampling_context(Probe& probe) {
  legacy_judge_each(probe, "tool:needs-sampling", {{"sampling", {{"tools", JsonObject{}}}}}, "sampling/createMessage",
                    [](const Json& params) { return judge_sampling_context(params, false); });
}
void elicit_shape(Probe& probe) {
  legacy_judge_each(probe, "tool:needs-elicitation", everything(probe), "elicitation/create", judge_form);
}
void elicit_url_fields(Probe& probe) {
  legacy_judge_each(probe, "tool:needs-elicitation-url", everything(probe), "elicitation/create",
                    [](const Json& params) { return judge_url(params, true); });
}
void legacy_elicit_url_https(Probe& probe) {
  legacy_judge_each(probe, "tool:needs-elicitation-url", everything(probe), "elicitation/create", judge_url_safety);
}
void legacy_elicit_form_no_links(Probe& probe) {
  legacy_judge_each(probe, "tool:needs-elicitation", everything(probe), "elicitation/create", judge_links);
}
void elicit_defaults(Probe& probe) {
  legacy_judge_each(probe, "tool:elicitation-defaults", everything(probe), "elicitation/create", judge_defaults);
}
void elicit_enums(Probe& probe) {
  legacy_judge_each(probe, "tool:elicitation-enums", everything(probe), "elicitation/create", judge_enums);
}
void legacy_elicit_no_sensitive(Probe& probe) {
  legacy_judge_each(probe, "tool:needs-elicitation", everything(probe), "elicitation/create", [&](const Json& params) {
    if (const Complaint complaint = judge_secrets(params)) probe.warn(*complaint, shown(params));
    return Complaint();
  });
}
void roots_shape(Probe& probe) {
  legacy_judge_each(probe, "tool:needs-roots", everything(probe), "roots/list", [](const Json& params) -> Complaint {
    JsonObject rest = params.is_object() ? params.get_object() : JsonObject{};
    rest.erase("_meta");
    return rest.empty() ? Complaint() : Complaint("no params but _meta");
  });
}

void legacy_sampling_flow(Probe& probe) {
  const Asked asked = ask(probe, "tool:needs-sampling", everything(probe));
  if (asked.requests.empty()) probe.skip("the tool asks nothing");
  probe.expect(asked.answer.ok(), "a result once the question is answered", asked.answer.text());
}

/// Of every kind of question to the model.
void sampling_error(Probe& probe) {
  refuse(probe, "tool:needs-sampling", -1, "The user refused");
  if (probe.since("2025-11-25") && probe.find("tool:needs-sampling-tools"))
    refuse(probe, "tool:needs-sampling-tools", -1, "The user refused");
}

void legacy_sampling_tools(Probe& probe) {
  for (const Message& request : ask(probe, "tool:needs-sampling-tools", {{"sampling", JsonObject{}}}).requests)
    probe.expect(get(request.json, "params", "tools").is_null() && get(request.json, "params", "toolChoice").is_null(),
                 "no tools for a client without sampling.tools", request.text.substr(0, 300));
}

void legacy_sampling_toolresult_only(Probe& probe) {
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

void legacy_elicit_mode(Probe& probe) {
  for (const Message& request : ask(probe, "tool:needs-elicitation-url", {{"elicitation", JsonObject{}}}).requests)
    probe.expect(!is_url_mode(request.member("params")), "no page for a client with forms only",
                 request.text.substr(0, 300));
  if (!probe.find("tool:needs-elicitation")) return;
  const JsonObject pages_only{{"elicitation", {{"url", JsonObject{}}}}};
  for (const Message& request : ask(probe, "tool:needs-elicitation", pages_only).requests)
    probe.expect(request.method() != "elicitation/create" || is_url_mode(request.member("params")),
                 "no form for a client with pages only", request.text.substr(0, 300));
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

/// The answer was accepted if there is a result without error and without a second question.
void elicit_invalid_content(Probe& probe) {
  bool has_fields = false;
  const Asked asked = ask(probe, "tool:needs-elicitation", everything(probe),
                          [&](const std::string&, const Json& params) -> std::optional<Json> {
                            JsonObject content;
                            const JsonObject* properties = get(params, "requestedSchema", "properties").if_object();
                            for (const auto& [name, property] : properties != nullptr ? *properties : JsonObject{})
                              content[name] = JsonArray{"wrong"};
                            has_fields |= !content.empty();
                            return JsonObject{{"action", "accept"}, {"content", content}};
                          });
  if (asked.requests.empty()) probe.skip("the tool asks nothing");
  if (!has_fields) probe.skip("its form has no fields");
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

}  // namespace

std::span<const Check> legacy_server_requests_checks() {
  static const std::vector<Check> all = [] {
    std::vector<Check> checks{
        {"lsr-sampling-capability", sampling_capability},
        {"lsr-sampling-shape", legacy_sampling_shape},
        {"lsr-sampling-flow", legacy_sampling_flow},
        {"lsr-sampling-error", sampling_error},
        {"lsr-sampling-tools", legacy_sampling_tools},
        {"lsr-sampling-context", legacy_sampling_context},
        {"lsr-sampling-toolresult-only", legacy_sampling_toolresult_only},
        {"lsr-elicit-capability", elicit_capability},
        {"lsr-elicit-shape", elicit_shape},
        {"lsr-elicit-mode", legacy_elicit_mode},
        {"lsr-elicit-url-fields", elicit_url_fields},
        {"lsr-elicit-defaults", elicit_defaults},
        {"lsr-elicit-enums", elicit_enums},
        {"lsr-elicit-actions", elicit_actions},
        {"lsr-elicit-invalid-content", elicit_invalid_content},
        {"lsr-elicit-complete-id", elicit_complete_id},
        {"lsr-elicit-no-sensitive", legacy_elicit_no_sensitive},
        {"lsr-elicit-url-https", legacy_elicit_url_https},
        {"lsr-elicit-form-no-links", legacy_elicit_form_no_links},
        {"lsr-roots-capability", roots_capability},
        {"lsr-roots-shape", roots_shape},
    };
    checks.insert(checks.end(), legacy_server_requests_flow_checks().begin(),
                  legacy_server_requests_flow_checks().end());
    return checks;
  }();
  return all;
}

}  // namespace toolwire::conformance
