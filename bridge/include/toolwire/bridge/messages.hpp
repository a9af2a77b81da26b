// The messages around a tool call: what a model says, what a runtime answers. Plain values and their JSON. Knows no
// tools and no model's API (see model_formats.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <toolwire/json.hpp>

namespace toolwire::bridge {

struct TextBlock {
  std::string text = {};
  bool operator==(const TextBlock&) const = default;
};

/// "I want to call this tool with these arguments." Nothing has been checked yet.
struct ToolCallBlock {
  std::string id = {};  // echoed byte for byte; some models give none
  std::string name = {};
  Json input = {};              // anything at all
  std::string unreadable = {};  // what stood there, where an API carries arguments as text and that was no JSON
  JsonObject extra = {};  // by API (see model_formats.hpp): members of its block that must go back to it (signatures)
};

/// A block of a model's API that is neither text nor a call (thinking, for example): kept as it came, for this API
/// only.
struct OtherBlock {
  std::string format = "native";  // see model_formats.hpp
  Json block = {};
};

using AssistantBlock = std::variant<TextBlock, ToolCallBlock, OtherBlock>;

/// Why the model stopped: its turn is over; it wants tools; it ran out of room; something failed; it was stopped.
enum class StopReason { stop, tool_use, length, error, aborted };

std::string_view name_of(StopReason reason);  // "stop", "toolUse", "length", "error", "aborted"

struct TokenUsage {
  std::int64_t input = 0;
  std::int64_t output = 0;
};

struct UserMessage {
  std::vector<TextBlock> content = {};
};

struct AssistantMessage {
  std::vector<AssistantBlock> content = {};
  StopReason stop_reason = StopReason::stop;
  std::string model = {};
  TokenUsage usage = {};
};

/// An image; `data` is its Base64.
struct ImageBlock {
  std::string media_type = {};
  std::string data = {};
};

/// The result of one call. `details` are for people (elapsed time, a diff, an exit code) and not sent to a model.
struct ToolResultMessage {
  std::string tool_call_id = {};
  std::string tool_name = {};
  bool is_error = false;
  std::vector<TextBlock> content = {};
  JsonObject details = {};
  std::vector<ImageBlock> images =
      {};  // for the forms that have them in results; `content` says in words what they are

  /// All texts, a line each at least.
  std::string text() const;
};

using Message = std::variant<UserMessage, AssistantMessage, ToolResultMessage>;

/// All calls of a message, in their order.
std::vector<ToolCallBlock> tool_calls_in(const AssistantMessage& message);

/// The JSON of the native message protocol: {"role": "user" | "assistant" | "toolResult", …}.
Json to_json(const Message& message);

/// Reads one. Throws std::invalid_argument listing every problem, a line each, with its JSON pointer (`at` stands
/// before it) and what was expected.
Message read_message(const Json& json, std::string_view at = {});

/// Reads an array of messages, or an object with the member `messages`. Throws as `read_message`.
std::vector<Message> read_messages(const Json& json);

}  // namespace toolwire::bridge
