// One turn of an agent: the tool calls of a model's message are run, and each gets its result. Knows neither models nor
// where the tools are.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <toolwire/bridge/messages.hpp>
#include <toolwire/bridge/registry.hpp>
#include <toolwire/client.hpp>
#include <toolwire/output_budget.hpp>

namespace toolwire::bridge {

/// The outcome of a call, without the id of the call it belongs to.
struct ToolAnswer {
  bool is_error = false;
  std::string text = {};
  JsonObject details = {};
  std::vector<ImageBlock> images = {};  // which `text` names
};

/// What runs the tools. Thread-safe.
class ToolRunner {
 public:
  using Done = std::function<void(ToolAnswer)>;
  virtual ~ToolRunner() = default;
  /// Starts one call; `input` of the call is an object. `done` is called once, from any thread, also before this
  /// returns. What it throws counts as the answer, if `done` was not called.
  virtual void start(const ToolCallBlock& call, const CallSettings& settings, Done done) = 0;
};

/// Tools of a registry, which must outlive it.
std::shared_ptr<ToolRunner> tools_of(Registry& registry);
/// Tools of an MCP server, whose client must outlive it. Content that is no text becomes a line that says what it is;
/// images are in the answer, too.
std::shared_ptr<ToolRunner> tools_of(Client& client);

/// What to do next: ask the model again, with the results; nothing, since the turn is over; make room (compact, or have
/// the model finish), since the message was cut off; nothing, since it failed or was stopped.
enum class NextStep { ask_model, done, make_room, stopped };

struct TurnOptions {
  bool parallel = true;      // else in sequence
  std::size_t at_once = 16;  // calls that run at the same time
  /// Looks at each call before it runs, on the thread that starts the turn or ends another call: may change its input,
  /// or give the result instead of running it (a refusal). What it throws is a refusal.
  std::function<std::optional<ToolAnswer>(ToolCallBlock& call)> before = {};
  /// Looks at each result, and may change it. What it throws is noted in `details`; the result stays.
  std::function<void(const ToolCallBlock& call, ToolResultMessage& result)> after = {};
  std::optional<OutputBudget> budget = OutputBudget{};  // of the text of each result; `ends` suits commands
  CallSettings call = {};  // stop, metadata, progress of all calls; stopped calls have an error result that says so
};

struct ToolTurn {
  std::vector<ToolResultMessage> results = {};  // one for each call, in the order of the calls
  NextStep next = NextStep::done;
};

/// Runs the calls of a message that stopped for tools. With any other stop reason nothing runs, and each call gets an
/// error result that says why, because a call without a result makes a context no API takes. Never throws for what
/// stands in the message: unknown tools, unusable arguments and tools that fail are error results. `done` is called
/// once, on the thread that ends the last call.
void start_turn(const AssistantMessage& message, std::shared_ptr<ToolRunner> tools, TurnOptions options,
                std::function<void(ToolTurn)> done);
/// The same, waiting.
ToolTurn run_turn(const AssistantMessage& message, std::shared_ptr<ToolRunner> tools, TurnOptions options = {});

/// Completes a conversation: every call without a result is run, as `run_turn` does, and its result put behind its
/// message, in the order of the calls. Results that are there stay as they are. Returns what to do after the last
/// message. Waits.
NextStep complete(std::vector<Message>& context, const std::shared_ptr<ToolRunner>& tools,
                  const TurnOptions& options = {});

}  // namespace toolwire::bridge
