#include <toolwire/bridge/messages.hpp>

#include <array>
#include <utility>

namespace toolwire::bridge {
namespace {

constexpr std::array<std::pair<StopReason, std::string_view>, 5> stop_reasons{{{StopReason::stop, "stop"},
                                                                               {StopReason::tool_use, "toolUse"},
                                                                               {StopReason::length, "length"},
                                                                               {StopReason::error, "error"},
                                                                               {StopReason::aborted, "aborted"}}};

JsonObject block_json(const TextBlock& block) { return {{"type", "text"}, {"text", block.text}}; }

JsonObject block_json(const ToolCallBlock& block) {
  JsonObject json{{"type", "toolCall"}, {"id", block.id}, {"name", block.name}};
  json["input"] = block.unreadable.empty() ? block.input : Json(block.unreadable);
  if (!block.extra.empty()) json["extra"] = block.extra;
  return json;
}

Json block_json(const OtherBlock& block) {
  if (block.format == "native") return block.block;
  return JsonObject{{"type", "other"}, {"format", block.format}, {"block", block.block}};
}

template <class Blocks>
JsonArray blocks_json(const Blocks& blocks) {
  JsonArray array;
  for (const TextBlock& block : blocks) array.push_back(block_json(block));
  return array;
}

Json message_json(const UserMessage& message) {
  return JsonObject{{"role", "user"}, {"content", blocks_json(message.content)}};
}

Json message_json(const AssistantMessage& message) {
  JsonArray content;
  for (const AssistantBlock& block : message.content) {
    content.push_back(std::visit([](const auto& one) { return Json(block_json(one)); }, block));
  }
  return JsonObject{
      {"role", "assistant"},
      {"content", std::move(content)},
      {"stopReason", name_of(message.stop_reason)},
      {"model", message.model},
      {"usage", JsonObject{{"inputTokens", message.usage.input}, {"outputTokens", message.usage.output}}}};
}

Json message_json(const ToolResultMessage& message) {
  JsonObject json{{"role", "toolResult"},
                  {"toolCallId", message.tool_call_id},
                  {"toolName", message.tool_name},
                  {"isError", message.is_error},
                  {"content", blocks_json(message.content)}};
  if (!message.details.empty()) json["details"] = message.details;
  return json;
}

}  // namespace

std::string_view name_of(StopReason reason) {
  for (const auto& [one, name] : stop_reasons) {
    if (one == reason) return name;
  }
  return "stop";
}

std::string ToolResultMessage::text() const {
  std::string all;
  for (const TextBlock& block : content) {
    if (!all.empty() && all.back() != '\n') all += '\n';
    all += block.text;
  }
  return all;
}

std::vector<ToolCallBlock> tool_calls_in(const AssistantMessage& message) {
  std::vector<ToolCallBlock> calls;
  for (const AssistantBlock& block : message.content) {
    if (const auto* call = std::get_if<ToolCallBlock>(&block)) calls.push_back(*call);
  }
  return calls;
}

Json to_json(const Message& message) {
  return std::visit([](const auto& one) { return message_json(one); }, message);
}

}  // namespace toolwire::bridge
