// A prompt: a conversation to begin with, made from arguments the user gives (specification: server/prompts).
// `make_prompt` is where a user's types enter. Independent of the wire and revisions.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "toolwire/completion.hpp"
#include "toolwire/detail/handler_checks.hpp"
#include "toolwire/detail/invoke.hpp"
#include "toolwire/detail/prompt_argument.hpp"
#include "toolwire/detail/prompt_arguments_of.hpp"
#include "toolwire/tool.hpp"

namespace toolwire {

/// The description of a prompt.
struct PromptInfo {
  std::string name = {};
  std::string description = {};
  std::string title = {};
  std::vector<Icon> icons = {};
  JsonObject meta = {};                        // `_meta` of the prompt
  std::vector<PromptArgument> arguments = {};  // for prompts that take JSON; derived for typed ones
  Completers completers = {};                  // suggestions by argument; enumerations and booleans have theirs
  std::chrono::milliseconds timeout = {};      // zero: none
  Visible visible = {};                        // for whom it is there; empty: for everybody
  std::vector<std::string> scopes = {};        // that its callers need, as ToolInfo::scopes
};

/// Who says a message.
enum class Role { user, assistant };

/// One message of the conversation: text, image, audio, a link to a resource, or a resource.
struct PromptMessage {
  Role role = Role::user;
  Content content;

  static PromptMessage user(std::string text);
  static PromptMessage assistant(std::string text);
};

/// The result of a prompt. A plain value.
struct PromptResult {
  std::string description = {};
  std::vector<PromptMessage> messages = {};
  JsonObject meta = {};  // `_meta` of the result

  PromptResult& user(Content content);
  PromptResult& user(std::string text);
  PromptResult& assistant(Content content);
  PromptResult& assistant(std::string text);
};

/// How a request for a prompt ends, before it is written for a revision: its result, questions to ask first, or an
/// error.
using PromptOutcome = std::variant<PromptResult, Questions, ProtocolError>;

namespace detail {

// Compiled once, and not in every program for each of its prompts.

PromptOutcome prompt_outcome_of(std::string&& text);
PromptOutcome prompt_outcome_of(PromptMessage&& message);
PromptOutcome prompt_outcome_of(std::vector<PromptMessage>&& messages);
PromptOutcome prompt_with_tool_result();

}  // namespace detail

/// The result of a prompt from what its function returned: a text becomes one message of the user. A std::expected, or
/// what has its functions, is what its value is, or an error with the text of the error.
template <class T>
PromptOutcome to_prompt_outcome(T&& value) {
  using Value = std::remove_cvref_t<T>;
  if constexpr (is_outcome<Value>) {
    return std::visit(
        [](auto&& alternative) -> PromptOutcome {
          using Alternative = std::remove_cvref_t<decltype(alternative)>;
          static_assert(!std::is_same_v<typename Value::Value, ToolResult>, "toolwire: a prompt returns no ToolResult");
          if constexpr (std::is_same_v<Alternative, ToolResult>) {
            return detail::prompt_with_tool_result();
          } else {
            return to_prompt_outcome(std::forward<decltype(alternative)>(alternative));
          }
        },
        std::forward<T>(value));
  } else if constexpr (detail::ExpectedLike<Value>) {
    if (!value.has_value()) return detail::protocol_error_of(value.error());
    return to_prompt_outcome(std::forward<T>(value).value());
  } else if constexpr (std::is_convertible_v<Value, std::string_view>) {
    return detail::prompt_outcome_of(detail::own_text(value));
  } else if constexpr (std::is_same_v<Value, PromptMessage> || std::is_same_v<Value, std::vector<PromptMessage>>) {
    return detail::prompt_outcome_of(Value(std::forward<T>(value)));
  } else {
    static_assert(std::is_constructible_v<PromptOutcome, T&&>,
                  "toolwire: a prompt returns a text, messages, a PromptResult or questions");
    return PromptOutcome(std::forward<T>(value));
  }
}

template <>
struct detail::ReplyTraits<PromptOutcome> {
  template <class T>
  static PromptOutcome outcome_of(T&& value) {
    return to_prompt_outcome(std::forward<T>(value));
  }
  static PromptOutcome error(const std::string& text);
  static PromptOutcome dropped();
};

/// The handle of a prompt that answers later.
using PromptReply = BasicReply<PromptOutcome>;
extern template class BasicReply<PromptOutcome>;

using PromptHandler = std::function<PromptOutcome(const Json& arguments, Context&)>;
using LaterPromptHandler = std::function<void(const Json& arguments, Context&, PromptReply)>;

/// A registered prompt; immutable, shared by the requests that run it.
struct Prompt {
  PromptInfo info;
  std::variant<PromptHandler, LaterPromptHandler> handler;
};

/// A prompt from a function: `handler(Arguments, Context&)`, where either may be left out and a third parameter,
/// `PromptReply`, makes it one that answers later. `Arguments` is a flat described struct of strings, numbers, booleans
/// and enumerations, or `const Json&` (an object of strings) with `info.arguments` given. It returns a PromptResult,
/// messages, one message, or a text; or questions (`Outcome<PromptResult>`); or a std::expected of one of these.
template <class F>
Prompt make_prompt(PromptInfo info, F handler) {
  Prompt prompt{std::move(info), {}};
  if constexpr (detail::HandlerCheck<F, PromptReply>::passed) {
    using Signature = detail::Signature<F>;
    using Arguments = typename detail::FirstParameter<typename Signature::Parameters>::Type;
    if constexpr (!std::is_same_v<Arguments, Json>) {
      prompt.info.arguments = detail::prompt_arguments_of(detail::ShapeOf<Arguments>::value);
      detail::add_completers_of(detail::ShapeOf<Arguments>::value, prompt.info.completers);
    }
    if constexpr (detail::answers_later<typename Signature::Parameters>) {
      prompt.handler = [handler = detail::Kept<F>(std::move(handler))](const Json& texts, Context& context,
                                                                       PromptReply reply) mutable {
        detail::invoke_prompt(handler, texts, context, std::move(reply));
      };
    } else {
      prompt.handler = [handler = detail::Kept<F>(std::move(handler))](const Json& texts, Context& context) mutable {
        return to_prompt_outcome(detail::invoke_prompt(handler, texts, context));
      };
    }
  }
  return prompt;
}

}  // namespace toolwire
