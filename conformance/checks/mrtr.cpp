// Questions within a request (2026-07-28 basic/patterns/mrtr).
#include "checks/mrtr.hpp"

#include <vector>

#include "checks/groups.hpp"

namespace toolwire::conformance {

bool asks(const Json& result) { return text_of(get(result, "resultType")) == "input_required"; }

Json asked(Probe& probe, Session& session, const Callable& tool) {
  const Answer answer = session.request("tools/call", tool.params());
  constexpr int missing_capability = -32021;
  if (answer.code() == missing_capability) probe.skip("the tool needs a capability that was not declared");
  probe.expect_result(answer, "tools/call of " + tool.name);
  if (!asks(answer.result)) probe.skip("the tool asks nothing");
  return answer.result;
}

JsonObject answers_to(const Json& question) {
  JsonObject answers;
  if (const JsonObject* requests = get(question, "inputRequests").if_object()) {
    for (const auto& [key, request] : *requests) {
      auto answer = default_response(std::string(text_of(get(request, "method"))), get(request, "params"));
      if (answer) answers[key] = std::move(*answer);
    }
  }
  return answers;
}

Answer retry(Session& session, const Callable& tool, const Json& question, Json responses) {
  JsonObject params = tool.params();
  params["inputResponses"] = std::move(responses);
  if (const Json& state = get(question, "requestState"); !state.is_null()) params["requestState"] = state;
  return session.request("tools/call", params);
}

std::span<const Check> mrtr_checks() {
  static const std::vector<Check> all = [] {
    std::vector<Check> checks;
    for (auto table : {mrtr_question_checks(), mrtr_flow_checks(), mrtr_state_checks()})
      checks.insert(checks.end(), table.begin(), table.end());
    return checks;
  }();
  return all;
}

}  // namespace toolwire::conformance
