#include <algorithm>
#include <utility>

#include <toolwire/bridge/tool_turn.hpp>

namespace toolwire::bridge {
namespace {

/// Takes the results behind a message out of the context: all up to the model's next message.
std::vector<ToolResultMessage> take_results(std::vector<Message>& context, std::size_t after) {
  std::vector<ToolResultMessage> results;
  for (std::size_t i = after; i < context.size() && !std::holds_alternative<AssistantMessage>(context[i]);) {
    auto* result = std::get_if<ToolResultMessage>(&context[i]);
    if (result == nullptr) {
      ++i;
      continue;
    }
    results.push_back(std::move(*result));
    context.erase(context.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return results;
}

/// The recorded result of a call, taken out of the list. Models that give no ids are matched by name and order.
std::optional<ToolResultMessage> take(std::vector<ToolResultMessage>& results, const ToolCallBlock& call) {
  const auto found = std::ranges::find_if(results, [&](const ToolResultMessage& result) {
    return result.tool_call_id == call.id && (!call.id.empty() || result.tool_name == call.name);
  });
  if (found == results.end()) return std::nullopt;
  ToolResultMessage result = std::move(*found);
  results.erase(found);
  return result;
}

}  // namespace

NextStep complete(std::vector<Message>& context, const std::shared_ptr<ToolRunner>& tools, const TurnOptions& options) {
  NextStep next = NextStep::ask_model;  // a context that ends with what the user says
  for (std::size_t i = 0; i < context.size(); ++i) {
    const auto* message = std::get_if<AssistantMessage>(&context[i]);
    if (message == nullptr) {
      if (std::holds_alternative<UserMessage>(context[i])) next = NextStep::ask_model;
      continue;
    }
    AssistantMessage missing = *message;
    const std::vector<ToolCallBlock> calls = tool_calls_in(*message);
    std::vector<ToolResultMessage> recorded = take_results(context, i + 1);
    std::vector<std::optional<ToolResultMessage>> results;
    missing.content.clear();
    for (const ToolCallBlock& call : calls) {
      results.push_back(take(recorded, call));
      if (!results.back()) missing.content.emplace_back(call);
    }
    ToolTurn turn = run_turn(missing, tools, options);
    next = missing.content.empty() && !calls.empty() ? NextStep::ask_model : turn.next;
    auto fresh = turn.results.begin();
    for (std::optional<ToolResultMessage>& result : results) {
      if (!result) result = std::move(*fresh++);
      context.insert(context.begin() + static_cast<std::ptrdiff_t>(++i), std::move(*result));
    }
    for (ToolResultMessage& odd : recorded)  // results of no call of this message are kept
      context.insert(context.begin() + static_cast<std::ptrdiff_t>(++i), std::move(odd));
  }
  return next;
}

}  // namespace toolwire::bridge
