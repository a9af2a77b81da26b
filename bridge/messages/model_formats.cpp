#include <toolwire/bridge/model_formats.hpp>

#include <array>
#include <stdexcept>
#include <utility>

#include "messages/formats/codec.hpp"

namespace toolwire::bridge {
namespace {

using formats::At;
using formats::Codec;

AssistantMessage read_native_answer(const At& response) {
  Message message = read_message(response.json());
  if (auto* answer = std::get_if<AssistantMessage>(&message)) return std::move(*answer);
  response["role"].wrong("\"assistant\"");
}

JsonArray write_native_context(const std::vector<Message>& context) {
  JsonArray messages;
  for (const Message& message : context) messages.push_back(to_json(message));
  return messages;
}

Json write_native_tool(const ToolDefinition& tool) {
  return JsonObject{{"name", tool.name}, {"description", tool.description}, {"parameters", tool.parameters}};
}

/// The form is toolwire's own: what does not belong to it is a mistake.
formats::Entry read_native_entry(const At& element) {
  Message message = read_message(element.json(), element.where());
  formats::Entry entry{.is_user = std::holds_alternative<UserMessage>(message)};
  if (auto* answer = std::get_if<AssistantMessage>(&message)) {
    entry.is_model = true;
    entry.message = std::move(*answer);
  } else if (const auto* result = std::get_if<ToolResultMessage>(&message)) {
    entry.results.push_back({.id = result->tool_call_id, .tool = result->tool_name});
  }
  return entry;
}

Codec native() {
  return {read_native_answer,
          write_native_context,
          [](const At& messages) { return read_messages(messages.json()); },
          write_native_tool,
          read_native_entry,
          [](const ToolResultMessage& result) { return to_json(result); },
          [](const At& answer) { return JsonArray{answer.json()}; }};
}

struct Form {
  ModelFormat format;
  std::string_view name;
  Codec (*codec)();
};

constexpr std::array forms{
    Form{ModelFormat::native, "native", native},
    Form{ModelFormat::anthropic, "anthropic", formats::anthropic},
    Form{ModelFormat::openai_chat, "openai", formats::openai_chat},
    Form{ModelFormat::openai_responses, "openai-responses", formats::openai_responses},
    Form{ModelFormat::gemini, "gemini", formats::gemini},
    Form{ModelFormat::pi, "pi", formats::pi},
};

const Form& form_of(ModelFormat format) {
  for (const Form& form : forms) {
    if (form.format == format) return form;
  }
  return forms.front();
}

/// Where a form does not repeat the name of the tool with its result, the call has it.
void name_tools(std::vector<Message>& messages) {
  std::vector<ToolCallBlock> calls;
  for (Message& message : messages) {
    if (const auto* answer = std::get_if<AssistantMessage>(&message)) {
      for (ToolCallBlock& call : tool_calls_in(*answer)) calls.push_back(std::move(call));
    }
    auto* result = std::get_if<ToolResultMessage>(&message);
    if (result == nullptr || !result->tool_name.empty()) continue;
    for (const ToolCallBlock& call : calls) {
      if (call.id == result->tool_call_id) result->tool_name = call.name;
    }
  }
}

}  // namespace

formats::Codec formats::codec_of(ModelFormat format) { return form_of(format).codec(); }

ModelFormat model_format_named(std::string_view name) {
  std::string known;
  for (const Form& form : forms) {
    if (form.name == name) return form.format;
    known.append(known.empty() ? "" : ", ").append(form.name);
  }
  throw std::invalid_argument("\"" + std::string(name) + "\" is no format of messages; expected one of " + known);
}

std::string_view name_of(ModelFormat format) { return form_of(format).name; }

AssistantMessage read_answer(ModelFormat format, const Json& response) {
  return form_of(format).codec().read_answer(At(response));
}

JsonArray write_context(ModelFormat format, const std::vector<Message>& context) {
  return form_of(format).codec().write_context(context);
}

std::vector<Message> read_context(ModelFormat format, const Json& messages) {
  std::vector<Message> context = form_of(format).codec().read_context(At(messages));
  name_tools(context);
  return context;
}

JsonArray write_tools(ModelFormat format, const std::vector<ToolDefinition>& tools) {
  const Codec codec = form_of(format).codec();
  JsonArray declared;
  for (const ToolDefinition& tool : tools) declared.push_back(codec.write_tool(tool));
  if (codec.declarations.empty() || declared.empty()) return declared;
  return {JsonObject{{codec.declarations, std::move(declared)}}};
}

}  // namespace toolwire::bridge
