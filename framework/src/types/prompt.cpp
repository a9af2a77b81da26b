#include "toolwire/prompt.hpp"

namespace toolwire {

template class BasicReply<PromptOutcome>;

PromptOutcome detail::prompt_outcome_of(std::string&& text) {
  return prompt_outcome_of(PromptMessage::user(std::move(text)));
}

PromptOutcome detail::prompt_outcome_of(PromptMessage&& message) {
  PromptResult result;
  result.messages.push_back(std::move(message));
  return result;
}

PromptOutcome detail::prompt_outcome_of(std::vector<PromptMessage>&& messages) {
  return PromptResult{{}, std::move(messages), {}};
}

PromptOutcome detail::prompt_with_tool_result() {
  return ProtocolError(error_code::internal_error, "Internal error: a prompt returned the result of a tool");
}

PromptOutcome detail::ReplyTraits<PromptOutcome>::error(const std::string& text) {
  return ProtocolError(error_code::internal_error, text);
}

PromptOutcome detail::ReplyTraits<PromptOutcome>::dropped() {
  return ProtocolError(error_code::internal_error, "Internal error: this prompt was given up without an answer",
                       JsonObject{{"code", "dropped"}, {"retryable", false}});
}

PromptMessage PromptMessage::user(std::string text) { return {Role::user, {TextContent{std::move(text)}}}; }
PromptMessage PromptMessage::assistant(std::string text) { return {Role::assistant, {TextContent{std::move(text)}}}; }

PromptResult& PromptResult::user(std::string text) { return user(Content{TextContent{std::move(text)}}); }
PromptResult& PromptResult::assistant(std::string text) { return assistant(Content{TextContent{std::move(text)}}); }

PromptResult& PromptResult::user(Content content) {
  messages.push_back({Role::user, std::move(content)});
  return *this;
}

PromptResult& PromptResult::assistant(Content content) {
  messages.push_back({Role::assistant, std::move(content)});
  return *this;
}

namespace detail {

std::vector<PromptArgument> prompt_arguments_of(const ObjectShape& shape) {
  std::vector<PromptArgument> arguments;
  for (const FieldShape& field : shape) {
    arguments.push_back(
        {std::string(field.name), std::string(field.description), std::string(field.title), field.required});
  }
  return arguments;
}

}  // namespace detail
}  // namespace toolwire
