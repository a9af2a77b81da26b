// The state that travels with the client.
#include "checks/mrtr.hpp"

namespace toolwire::conformance {
namespace {

struct Held {
  Callable tool;
  Session& session;
  Json question;
  std::string state;
};

Held hold(Probe& probe, std::string_view kind = "tool:mrtr-state") {
  const Callable tool = probe.need_tool(kind);
  Session& session = probe.opened(all_capabilities(probe.revision()));
  const Json question = asked(probe, session, tool);
  const std::string state(text_of(get(question, "requestState")));
  if (state.empty()) probe.skip("the tool has no state");
  return {tool, session, question, state};
}

Answer with_state(Session& session, const Callable& tool, const Json& question, const std::string& state) {
  JsonObject params = tool.params();
  params["inputResponses"] = answers_to(question);
  params["requestState"] = state;
  return session.request("tools/call", params);
}

bool is_refused(const Answer& answer) {
  return answer.is_error() || asks(answer.result) || get(answer.result, "isError") == Json(true);
}

/// Of a tool that nobody called a fixture nobody knows whether its state matters.
void tampered(Probe& probe) {
  const Held it = hold(probe);
  const bool may_not_matter = probe.need("tool:mrtr-state").by_looking;
  std::string flipped = it.state;
  char& middle = flipped[flipped.size() / 2];
  middle = middle == 'A' ? 'B' : 'A';
  for (const std::string& state :
       {flipped, it.state.substr(0, it.state.size() / 2), std::string("conformance-random-state")}) {
    const Answer answer = with_state(it.session, it.tool, it.question, state);
    probe.expect_answer(answer, "a state that was changed");
    if (!is_refused(answer) && may_not_matter)
      probe.info(it.tool.name + " takes a state that was changed, which is a fault unless its state does not matter");
    probe.expect(is_refused(answer), "an error, or the question once more, for a state that was changed",
                 shown(answer.result));
  }
  probe.expect_alive(it.session);
}

/// Other texts as arguments, as where something else is to be done than what was confirmed. Of a tool that nobody
/// called a fixture nobody knows whether its arguments matter.
void expect_bound_to_arguments(Probe& probe) {
  const auto fixture = probe.find("tool:needs-elicitation");
  if (!fixture) return;
  Callable tool = probe.need_tool("tool:needs-elicitation");
  Session& session = probe.opened(all_capabilities(probe.revision()));
  const Json question = asked(probe, session, tool);
  const std::string state(text_of(get(question, "requestState")));
  const JsonObject before = tool.arguments;
  for (auto& argument : tool.arguments) {
    if (argument.value().is_string()) argument.value() = std::string(text_of(argument.value())) + " and more";
  }
  if (state.empty() || tool.arguments == before) return;
  const Answer answer = with_state(session, tool, question, state);
  probe.expect_answer(answer, "a state of the same tool with other arguments");
  const std::string expected = "an error, or a new question, for a state that belongs to other arguments";
  if (!is_refused(answer) && fixture->by_looking) probe.info(tool.name + " gave no " + expected);
  probe.expect(is_refused(answer), expected, shown(answer.result));
}

void bound_to_request(Probe& probe) {
  expect_bound_to_arguments(probe);
  const Held it = hold(probe);
  const Callable other = probe.find("tool:mrtr-elicitation") ? probe.need_tool("tool:mrtr-elicitation")
                                                             : probe.need_tool("tool:needs-elicitation");
  if (other.name == it.tool.name) probe.skip("the server has one tool of the kind only");
  const Answer answer = with_state(it.session, other, it.question, it.state);
  probe.expect_answer(answer, "the state of another tool");
  probe.expect(is_refused(answer), "an error, or a new question, for the state of another tool", shown(answer.result));
}

void fresh_process(Probe& probe) {
  const Held it = hold(probe);
  Session& other = probe.opened(all_capabilities(probe.revision()));
  const Answer answer = with_state(other, it.tool, it.question, it.state);
  probe.expect_answer(answer, "the retry in another process");
  if (answer.is_error())
    probe.warn("a complete result in another process", answer.text() + " (a key of the process alone?)");
  probe.expect(answer.ok(), "a complete result, or a clear error", shown(answer.result));
}

void single_use(Probe& probe) {
  const Held it = hold(probe, "tool:mrtr-single-use");
  const Answer first = with_state(it.session, it.tool, it.question, it.state);
  probe.expect_result(first, "the retry with answers");
  const Answer again = with_state(it.session, it.tool, it.question, it.state);
  probe.expect_answer(again, "the same retry once more");
  probe.expect(is_refused(again), "an error: the state has been used", shown(again.result));
}

void expiry(Probe& probe) {
  const Held it = hold(probe, "tool:mrtr-state-ttl");
  it.session.listen_for(std::chrono::milliseconds(1500));
  const Answer answer = with_state(it.session, it.tool, it.question, it.state);
  probe.expect_answer(answer, "a state that has expired");
  probe.expect(is_refused(answer), "an error, or the question once more, for a state that has expired",
               shown(answer.result));
}

}  // namespace

std::span<const Check> mrtr_state_checks() {
  static constexpr Check checks[] = {
      {"mrtr-tampered-state", tampered},
      {"mrtr-state-bound-to-request", bound_to_request},
      {"mrtr-state-fresh-process", fresh_process},
      {"mrtr-state-single-use", single_use},
      {"mrtr-state-expiry", expiry},
  };
  return checks;
}

}  // namespace toolwire::conformance
