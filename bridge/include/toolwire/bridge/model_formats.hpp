// Messages in the forms of the models' APIs, so that a program with any of them can use tool_turn.hpp. Knows the public
// formats of tool calls and results; sends nothing.
#pragma once

#include <string_view>
#include <vector>

#include <toolwire/bridge/definition.hpp>
#include <toolwire/bridge/messages.hpp>

namespace toolwire::bridge {

/// `native` is the protocol of messages.hpp; the others are Anthropic's Messages, OpenAI's Chat Completions and
/// Responses, Gemini's generateContent, and the messages of Pi (a coding agent).
enum class ModelFormat { native, anthropic, openai_chat, openai_responses, gemini, pi };

/// "native", "anthropic", "openai", "openai-responses", "gemini", "pi". Throws std::invalid_argument naming all of
/// them.
ModelFormat model_format_named(std::string_view name);
std::string_view name_of(ModelFormat format);

/// The model's answer as its API returns it (the body of the response). Calls keep their ids and the exact text of
/// arguments that are no JSON; blocks that have no meaning here are kept as they are. Throws std::invalid_argument
/// with a JSON pointer and what was expected there.
AssistantMessage read_answer(ModelFormat format, const Json& response);

/// The conversation so far as the array its API takes (`messages`, `input` or `contents`). Results of several calls
/// are combined where the API requires that; details are left out. What a form has no member for is put into the text:
/// an error in OpenAI's begins with "Error: ".
JsonArray write_context(ModelFormat format, const std::vector<Message>& context);
/// The same the other way round: an array as `write_context` makes it, of text, calls and results. Throws as
/// `read_answer`.
std::vector<Message> read_context(ModelFormat format, const Json& messages);

/// Tools as the API's requests declare them (`tools`).
JsonArray write_tools(ModelFormat format, const std::vector<ToolDefinition>& tools);

}  // namespace toolwire::bridge
