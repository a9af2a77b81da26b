// The client's model and its roots. Both are deprecated since 2026-07-28, and shown here because clients have them.
#include <optional>
#include <string>
#include <toolwire/error.hpp>

#include "everything/everything.hpp"

namespace everything {
namespace {

using namespace toolwire;

struct Prompt {
  std::string prompt;
  static constexpr auto describe() { return fields(field<&Prompt::prompt>("The prompt to send to the LLM")); }
};

/// Throws ToolError without an accepted answer: these calls cannot do without the model.
const ModelAnswer& accepted(const std::optional<Answer<ModelAnswer>>& answer) {
  if (!answer->accepted()) throw ToolError("The client's model did not answer");
  return *answer->value;
}

Outcome<std::string> ask_once(const Prompt& wish, Context& context) {
  const auto answer = context.model_answer("sample");
  if (!answer) return ask_model("sample", wish.prompt, 100);
  return "LLM response: " + accepted(answer).text();
}

/// Every member a request can have.
ModelRequest with_tools(const std::string& prompt) {
  ModelRequest request{.messages = {ModelMessage::user(prompt)}, .max_tokens = 200};
  request.system_prompt = "Use the tools you have.";
  request.preferences = {.hints = {"small"}, .cost = 0.2, .speed = 0.5, .intelligence = 0.8};
  request.temperature = 0.5;
  request.stop_sequences = {"END"};
  request.tools = {
      {"weather", "The weather in a city",
       parse_json(R"({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]})")}};
  request.tool_choice = ToolChoice::automatic;
  return request;
}

Outcome<std::string> ask_with_tools(const Prompt& wish, Context& context) {
  const auto answer = context.model_answer("sample");
  if (!answer) return ask_model("sample", with_tools(wish.prompt));
  const ModelAnswer& reply = accepted(answer);
  return std::to_string(reply.tool_uses().size()) + " tools wished for; " + reply.text();
}

/// Runs the tools the model requests and asks again with their results, at most three times.
Outcome<std::string> loop(const Prompt& wish, Context& context) {
  ModelRequest request = with_tools(wish.prompt);
  for (int round = 1; round <= 3; ++round) {
    const std::string key = "round" + std::to_string(round);
    const auto answer = context.model_answer(key);
    if (!answer) return ask_model(key, request);
    const auto uses = accepted(answer).tool_uses();
    if (uses.empty()) return answer->value->text();
    std::vector<ToolUseResult> results;
    results.reserve(uses.size());
    for (const ToolUse& use : uses) results.push_back({use.id, "It is sunny: " + to_json_text(use.input)});
    request.messages.push_back(answer->value->as_message());
    request.messages.push_back(tool_results(results));
  }
  return std::string("The model keeps requesting tools");
}

Outcome<std::string> count_roots(Context& context) {
  const auto roots = context.roots("roots_request");
  if (!roots) return ask_roots("roots_request");
  if (!roots->accepted()) throw ToolError("The client does not tell its roots");
  std::string text = "Found " + std::to_string(roots->value->size()) + " root(s)";
  for (const Root& root : *roots->value) text += "\n" + root.uri;
  return text;
}

Outcome<std::string> need_model(Context& context) {
  const auto answer = context.model_answer("sample");
  if (!answer) return ask_model("sample", "Say anything.", 10);
  accepted(answer);
  return std::string("Success");
}

Outcome<std::string> ask_capital(Context& context) {
  const auto answer = context.model_answer("sample_request");
  if (!answer) return ask_model("sample_request", "What is the capital of France?", 100);
  return "Sampling result: " + accepted(answer).text();
}

}  // namespace

void add_model_tools(Server& server) {
  add(server, "test_sampling", "Has the client's model answer", ask_once);
  add(server, "test_sampling_with_tools", "Lets the client's model request a tool", ask_with_tools);
  add(server, "test_sampling_tool_loop", "Runs the tools the client's model requests", loop);
  add(server, "test_missing_capability", "Needs the client's model", need_model);
  add(server, "test_input_required_result_sampling", "Asks the client's model a question", ask_capital);
  add(server, "test_input_required_result_list_roots", "Asks for the client's roots", count_roots);
}

}  // namespace everything
