// Pi's messages: those of toolwire's native form with `arguments` in the place of `input`, and blocks of its own.
#include <array>
#include <utility>

#include "messages/formats/codec.hpp"

namespace toolwire::bridge::formats {
namespace {

constexpr std::string_view format = "pi";

AssistantBlock read_block(const At& block) {
  const std::string type = block["type"].text();
  if (type == "text" && block.object().size() == 2) return TextBlock{block["text"].text()};
  if (type != "toolCall") return OtherBlock{std::string(format), block.json()};
  ToolCallBlock call{.id = block["id"].text(), .name = block["name"].text(), .input = block["arguments"].json()};
  if (JsonObject extra = others(block.object(), {"type", "id", "name", "arguments"}); !extra.empty())
    call.extra[format] = std::move(extra);
  return call;
}

StopReason stop_reason(const At& message) {
  const std::string reason = message.text_or("stopReason", "stop");
  constexpr std::array all{StopReason::stop, StopReason::tool_use, StopReason::length, StopReason::error,
                           StopReason::aborted};
  for (const StopReason one : all) {
    if (name_of(one) == reason) return one;
  }
  message["stopReason"].wrong("\"stop\", \"toolUse\", \"length\", \"error\" or \"aborted\"");
}

AssistantMessage read_answer(const At& response) {
  AssistantMessage message;
  response["content"].each([&](const At& block) { message.content.push_back(read_block(block)); });
  message.stop_reason = stop_reason(response);
  message.model = response.text_or("model");
  if (response.has("usage"))
    message.usage = {response["usage"].count_or_zero("input"), response["usage"].count_or_zero("output")};
  return message;
}

Json written(const TextBlock& block) { return JsonObject{{"type", "text"}, {"text", block.text}}; }

Json written(const ToolCallBlock& call) {
  JsonObject block{{"type", "toolCall"}, {"id", call.id}, {"name", call.name}, {"arguments", call.input}};
  for (const auto& [name, value] : extra_of(call, format)) block[name] = value;
  return block;
}

Json written(const UserMessage& message) {
  JsonArray content;
  for (const TextBlock& block : message.content) content.push_back(written(block));
  return JsonObject{{"role", "user"}, {"content", std::move(content)}};
}

Json written(const AssistantMessage& message) {
  JsonArray content;
  for (const AssistantBlock& block : message.content) {
    if (const auto* text = std::get_if<TextBlock>(&block)) content.push_back(written(*text));
    if (const auto* call = std::get_if<ToolCallBlock>(&block)) content.push_back(written(*call));
    if (const auto* other = std::get_if<OtherBlock>(&block); other != nullptr && other->format == format)
      content.push_back(other->block);
  }
  return JsonObject{{"role", "assistant"},
                    {"content", std::move(content)},
                    {"stopReason", name_of(message.stop_reason)},
                    {"model", message.model},
                    {"usage", JsonObject{{"input", message.usage.input}, {"output", message.usage.output}}}};
}

Json written(const ToolResultMessage& result) {
  JsonArray content;
  for (const TextBlock& block : result.content) content.push_back(written(block));
  for (const ImageBlock& image : result.images)
    content.push_back(JsonObject{{"type", "image"}, {"data", image.data}, {"mimeType", image.media_type}});
  JsonObject json{{"role", "toolResult"},
                  {"toolCallId", result.tool_call_id},
                  {"toolName", result.tool_name},
                  {"content", std::move(content)},
                  {"isError", result.is_error}};
  if (!result.details.empty()) json["details"] = result.details;
  return json;
}

JsonArray write_context(const std::vector<Message>& context) {
  JsonArray messages;
  for (const Message& message : context)
    messages.push_back(std::visit([](const auto& one) { return written(one); }, message));
  return messages;
}

/// `content` is a list of blocks, or a text.
std::vector<TextBlock> texts_in(const At& content) {
  if (content.json().is_string()) return {{content.text()}};
  std::vector<TextBlock> texts;
  content.each([&](const At& block) {
    if (block["type"].text() != "text") block.wrong("a block of text");
    texts.push_back({block["text"].text()});
  });
  return texts;
}

ToolResultMessage read_result(const At& message) {
  ToolResultMessage result{.tool_call_id = message["toolCallId"].text(), .tool_name = message["toolName"].text()};
  result.is_error = message.has("isError") && message["isError"].json() == true;
  result.content = texts_in(message["content"]);
  if (message.has("details") && message["details"].json().is_object()) result.details = message["details"].object();
  return result;
}

std::vector<Message> read_context(const At& array) {
  std::vector<Message> messages;
  array.each([&](const At& one) {
    const std::string role = one["role"].text();
    if (role == "assistant") return void(messages.emplace_back(read_answer(one)));
    if (role == "toolResult") return void(messages.emplace_back(read_result(one)));
    if (role != "user") one["role"].wrong("\"user\", \"assistant\" or \"toolResult\"");
    messages.emplace_back(UserMessage{texts_in(one["content"])});
  });
  return messages;
}

Json write_tool(const ToolDefinition& tool) {
  return JsonObject{{"name", tool.name}, {"description", tool.description}, {"parameters", tool.parameters}};
}

Entry read_entry(const At& element) {
  const std::string role = element.text_or("role");
  Entry entry{.is_model = role == "assistant", .is_user = role == "user"};
  if (role == "toolResult")
    entry.results.push_back({.id = element["toolCallId"].text(), .tool = element.text_or("toolName")});
  if (!entry.is_model) return entry;
  element["content"].each([&](const At& block) {
    if (block.text_or("type") == "toolCall") entry.message.content.push_back(read_block(block));
  });
  entry.message.stop_reason = stop_reason(element);
  return entry;
}

Json write_result(const ToolResultMessage& result) { return written(result); }

JsonArray context_of(const At& answer) { return {answer.json()}; }

}  // namespace

Codec pi() { return {read_answer, write_context, read_context, write_tool, read_entry, write_result, context_of}; }

}  // namespace toolwire::bridge::formats
