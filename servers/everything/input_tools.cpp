// Questions before the answer (2026-07-28 basic/patterns/mrtr): several at once, in rounds, with a state that is
// protected, counts once, or expires. Earlier clients are asked the same by requests of the server.
#include <chrono>
#include <string>

#include "everything/everything.hpp"

namespace everything {
namespace {

using namespace toolwire;
using namespace std::chrono_literals;

struct Name {
  std::string name;
  static constexpr auto describe() { return fields(field<&Name::name>("A name")); }
};

struct Color {
  std::string color;
  static constexpr auto describe() { return fields(field<&Color::color>("A color")); }
};

struct Ok {
  bool ok = false;
  static constexpr auto describe() { return fields(field<&Ok::ok>("Whether it is")); }
};

struct Value {
  std::string value;
  static constexpr auto describe() { return fields(field<&Value::value>("Anything")); }
};

std::string name_in(const std::optional<Answer<Name>>& answer) {
  return answer->accepted() ? answer->value->name : "unknown";
}

Outcome<std::string> greet(Context& context) {
  const auto name = context.answer<Name>("user_name");
  if (!name) return ask<Name>("user_name", "What is your name?");
  return "Hello, " + name_in(name) + "!";
}

/// Asks until the answer is affirmative.
Outcome<std::string> confirm(Context& context, const std::string& done) {
  const auto answer = context.answer<Ok>("confirm");
  if (!answer) return ask<Ok>("confirm", "Please confirm");
  return answer->accepted() && answer->value->ok ? done : std::string("not confirmed");
}

Outcome<std::string> three_at_once(Context& context) {
  const auto name = context.answer<Name>("user_name");
  const auto greeting = context.model_answer("greeting");
  const auto roots = context.roots("client_roots");
  Questions open;
  if (!name) open.also(ask<Name>("user_name", "What is your name?"));
  if (!greeting) open.also(ask_model("greeting", "Generate a greeting", 50));
  if (!roots) open.also(ask_roots("client_roots"));
  if (!open.list.empty()) return open;
  return "Name: " + name_in(name) + "; Greeting: " + (greeting->accepted() ? greeting->value->text() : "none") +
         "; Roots: " + std::to_string(roots->accepted() ? roots->value->size() : 0);
}

Outcome<std::string> two_rounds(Context& context) {
  const auto name = context.answer<Name>("step1");
  if (!name) return ask<Name>("step1", "Step 1: What is your name?");
  const auto color = context.answer<Color>("step2");
  if (!color) return ask<Color>("step2", "Step 2: What is your favorite color?");
  return "Multi-round complete for " + name_in(name) + " who likes " +
         (color->accepted() ? color->value->color : "nothing");
}

/// Only what the client has declared it can answer.
Outcome<std::string> ask_what_is_possible(Context& context) {
  if (!context.answers().empty()) {
    std::string keys;
    for (const auto& [key, answer] : context.answers()) keys += (keys.empty() ? "" : ",") + std::string(key);
    return "capabilities-ok: received " + keys;
  }
  Questions possible;
  for (Questions questions :
       {ask<Value>("elicit_input", "Elicitation input"), ask_model("sample_input", "Sample request", 50)}) {
    if (context.can_ask(questions)) possible.also(std::move(questions));
  }
  if (possible.list.empty()) return std::string("No supported capabilities declared");
  return possible;
}

void add_states(Server& server) {
  add(server, "test_input_required_result_request_state", "Asks; its state has to come back",
      [](Context& context) { return confirm(context, "state-ok: requestState validated"); });
  add(server, "test_input_required_result_tampered_state", "Asks; a state that was altered is refused",
      [](Context& context) { return confirm(context, "integrity-ok: state verified"); });
  ToolInfo once = harmless("test_mrtr_single_use", "Asks; the answer counts once");
  once.single_use_answers = true;
  server.tool(std::move(once), [](Context& context) { return confirm(context, "counted"); });
  ToolInfo soon = harmless("test_mrtr_state_ttl", "Asks; the answer counts for a second");
  soon.answers_within = 1s;
  server.tool(std::move(soon), [](Context& context) { return confirm(context, "in time"); });
}

}  // namespace

void add_input_tools(Server& server) {
  add(server, "test_input_required_result_elicitation", "Asks for a name", greet);
  add(server, "test_input_required_result_multiple_inputs", "Asks three things at once", three_at_once);
  add(server, "test_input_required_result_multi_round", "Asks one thing, then another", two_rounds);
  add(server, "test_input_required_result_capabilities", "Asks what the client can answer", ask_what_is_possible);
  add_states(server);
}

}  // namespace everything
