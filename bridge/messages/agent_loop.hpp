// The loop of an agent: a model is asked, the tools it wants are run, and it is asked again, until its turn is over or
// a bound is met. Knows no model and no terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <toolwire/bridge/tool_turn.hpp>

#include "messages/transcript.hpp"

namespace toolwire::bridge {

/// What a loop may use up. What is used up is looked at before the model is asked again, calls before each of them.
struct AgentBounds {
  std::size_t turns = 50;           // answers of the model
  std::size_t calls = 500;          // calls of tools, refused ones included
  std::int64_t tokens = INT64_MAX;  // read and written, as the model's answers count them
};

/// Why a loop has ended: the model's turn is over; its answer was cut off; it failed; it was stopped from without; a
/// bound was met.
enum class AgentEnd { done, cut_off, failed, stopped, turns, calls, tokens };

struct AgentOptions {
  AgentBounds bounds = {};
  /// The model: takes the body of a request, returns its answer as its API has it. What it throws ends the loop.
  std::function<Json(const std::string& request)> ask = {};
  /// Hears of every answer, before its calls are run.
  std::function<void(const AssistantMessage& message)> said = {};
  /// Hears of the conversation at the beginning and whenever it has grown, so that nothing is lost whatever ends the
  /// loop.
  std::function<void(const std::string& transcript)> grown = {};
  TurnOptions turn = {};  // its stop stops the loop
};

/// Runs calls that the conversation has no results for, then asks the model, and so on. Throws what `ask` and `grown`
/// throw, and std::runtime_error for an answer that is none, unless the loop was stopped meanwhile. Waits.
AgentEnd run_agent(Transcript& transcript, const std::shared_ptr<ToolRunner>& runner,
                   const std::vector<ToolDefinition>& tools, AgentOptions options);

}  // namespace toolwire::bridge
