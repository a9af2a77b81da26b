#include "messages/agent_loop.hpp"

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <toolwire/json_members.hpp>
#include <toolwire/text.hpp>

namespace toolwire::bridge {
namespace {

constexpr std::size_t max_refusal = 1000;  // bytes

/// The words of the API's own error, which all four put alike. A wrong key is one, and curl writes it as any answer.
std::optional<std::string> refusal_in(const Json& answer) {
  const Json* const error = find_member(answer, "error");
  const Json* const message = error == nullptr ? nullptr : find_member(*error, "message");
  if (message == nullptr || !message->is_string()) return std::nullopt;
  return text::visible(std::string_view(message->get_string()).substr(0, max_refusal));
}

class AgentLoop {
 public:
  AgentLoop(Transcript& transcript, std::shared_ptr<ToolRunner> runner, const std::vector<ToolDefinition>& tools,
            AgentOptions options)
      : transcript_(transcript), runner_(std::move(runner)), tools_(tools), options_(std::move(options)) {
    options_.turn.before = [this, before = std::move(options_.turn.before)](ToolCallBlock& call) {
      auto refusal = refused_by_bound();
      return refusal || !before ? refusal : before(call);
    };
  }

  AgentEnd run() {
    tell_grown();  // where it cannot be kept, nothing is run
    for (;;) {
      const NextStep next = transcript_.complete(runner_, options_.turn);
      tell_grown();
      if (is_stopped()) return AgentEnd::stopped;
      if (next != NextStep::ask_model) return end_of(next);
      if (const auto met = bound_met()) return *met;
      if (!ask()) return AgentEnd::stopped;
    }
  }

 private:
  static AgentEnd end_of(NextStep next) {
    if (next == NextStep::make_room) return AgentEnd::cut_off;
    return next == NextStep::done ? AgentEnd::done : AgentEnd::failed;
  }

  bool is_stopped() const { return options_.turn.call.stop.stop_requested(); }

  std::optional<AgentEnd> bound_met() const {
    if (calls_ > options_.bounds.calls) return AgentEnd::calls;
    if (turns_ >= options_.bounds.turns) return AgentEnd::turns;
    if (tokens_ >= options_.bounds.tokens) return AgentEnd::tokens;
    return std::nullopt;
  }

  std::optional<ToolAnswer> refused_by_bound() {
    if (++calls_ <= options_.bounds.calls) return std::nullopt;
    return ToolAnswer{
        true, "Not run: the " + std::to_string(options_.bounds.calls) + " calls that this task may make are used up.",
        JsonObject{{"code", "not_run"}}};
  }

  /// False: it was stopped meanwhile.
  bool ask() {
    ++turns_;
    try {
      const AssistantMessage message = take(options_.ask(transcript_.request(tools_)));
      tokens_ += message.usage.input + message.usage.output;
      tell_grown();
      if (options_.said) options_.said(message);
      return true;
    } catch (...) {
      if (is_stopped()) return false;
      throw;
    }
  }

  AssistantMessage take(const Json& answer) {
    if (const auto refusal = refusal_in(answer)) throw std::runtime_error("the model's API refused: " + *refusal);
    try {
      return transcript_.answer(answer);
    } catch (const std::invalid_argument& error) {
      throw std::runtime_error("the model's answer is none of its API: " + std::string(error.what()));
    }
  }

  void tell_grown() const {
    if (options_.grown) options_.grown(transcript_.text());
  }

  Transcript& transcript_;
  const std::shared_ptr<ToolRunner> runner_;
  const std::vector<ToolDefinition>& tools_;
  AgentOptions options_;
  std::size_t turns_ = 0;
  std::size_t calls_ = 0;
  std::int64_t tokens_ = 0;
};

}  // namespace

AgentEnd run_agent(Transcript& transcript, const std::shared_ptr<ToolRunner>& runner,
                   const std::vector<ToolDefinition>& tools, AgentOptions options) {
  return AgentLoop(transcript, runner, tools, std::move(options)).run();
}

}  // namespace toolwire::bridge
