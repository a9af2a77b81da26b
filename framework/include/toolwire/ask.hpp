// Questions to the client besides forms (see `ask<T>` in result.hpp): a page to open, the client's model, its roots.
// Return one from a tool, a prompt or a resource, several joined by `.also(…)`; nothing blocks. Their answers are in
// Context. Independent of revisions and of what a client can do: that is checked when the question is sent, and
// `Context::can_ask` tells beforehand.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "toolwire/json.hpp"
#include "toolwire/result.hpp"

namespace toolwire {

/// How a question was answered. `cancel`: closed without a decision, or not answered in time.
enum class AnswerAction { accept, decline, cancel };

/// The answer to a question. `value` is there only if it was accepted.
template <class T>
struct Answer {
  using Action = AnswerAction;
  Action action = Action::cancel;
  std::optional<T> value = {};
  bool accepted() const { return value.has_value(); }
};

/// Asks the user to open a page, for what must not pass through the client: credentials, payments (specification:
/// client/elicitation, URL mode; from 2025-11-25 on). `url`: absolute, https but for development, without personal data
/// or access rights in it. Accepted means that the user agreed to open the page, not that anything was done there. The
/// tool is called again with the answer: it has to find out itself what was done, and may ask again under another key.
/// `elicitation_id` is what `Server::elicitation_complete` refers to; one is made up if it is empty.
/// Throws std::invalid_argument if `url` is not an absolute URL.
Questions ask_url(std::string key, std::string_view message, std::string_view url, std::string elicitation_id = {});

/// One message of a conversation with the client's model. Content is text, images and audio; other kinds of a
/// revision (tool_use, tool_result) are given as JSON.
struct ModelMessage {
  std::string role = "user";  // or "assistant"
  std::vector<Content> content = {};

  static ModelMessage user(std::string text);
  static ModelMessage assistant(std::string text);
};

/// Which model the client should choose. Each priority is from 0 (does not matter) to 1 (matters most); without a value
/// it is not sent.
struct ModelPreferences {
  std::vector<std::string> hints = {};  // names or parts of names, the best first
  std::optional<double> cost = {};
  std::optional<double> speed = {};
  std::optional<double> intelligence = {};
};

namespace detail {
/// {"type": "object"}
Json any_object_schema();
}  // namespace detail

/// A tool that the model may call while it answers. The program that asks runs it, see ToolUse.
struct ModelTool {
  std::string name;
  std::string description;
  Json input_schema = detail::any_object_schema();
};

/// Whether the model may call tools, must call one, or must not.
enum class ToolChoice { automatic, required, none };

/// A request to the client's model (specification: client/sampling).
struct ModelRequest {
  std::vector<ModelMessage> messages = {};
  int max_tokens = 1000;  // of the answer
  std::string system_prompt = {};
  ModelPreferences preferences = {};
  std::optional<double> temperature = {};
  std::vector<std::string> stop_sequences = {};
  std::vector<ModelTool> tools = {};           // from 2025-11-25 on, if the client declares sampling.tools
  std::optional<ToolChoice> tool_choice = {};  // under the same condition as `tools`
  JsonObject metadata = {};                    // passed on to the provider of the model unchanged
};

/// Asks the client's model. Sampling is deprecated since 2026-07-28: new programs call a model themselves.
/// Throws std::invalid_argument for a request no revision allows: no messages, no tokens, a role that is unknown.
Questions ask_model(std::string key, const ModelRequest& request);
Questions ask_model(std::string key, std::string prompt, int max_tokens = 1000);

/// A tool call that the model requests. Answer it with `tool_results` in the next request.
struct ToolUse {
  std::string id;
  std::string name;
  JsonObject input;
};

/// What the client's model said.
struct ModelAnswer {
  std::string role = {};
  std::string model = {};
  std::string stop_reason = {};  // "endTurn", "toolUse", "maxTokens", …; empty if unknown
  JsonArray content = {};        // blocks as the client sent them

  /// The texts in `content`, one per line.
  std::string text() const;
  std::vector<ToolUse> tool_uses() const;
  /// The message to append to the next request.
  ModelMessage as_message() const;
};

/// The result of one ToolUse, whose id it has.
struct ToolUseResult {
  std::string id;
  std::string text;
  bool is_error = false;
};
/// The message, in the user's role, that answers tool uses; `results` in any order.
ModelMessage tool_results(const std::vector<ToolUseResult>& results);

/// A folder or file that the client works with (specification: client/roots).
struct Root {
  std::string uri;  // file://…
  std::string name = {};
};

/// Asks which folders the client works in. Roots are deprecated since 2026-07-28: new programs take folders as
/// arguments or from their configuration.
Questions ask_roots(std::string key);

}  // namespace toolwire
