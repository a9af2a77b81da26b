// Anthropic's Messages API: `tool_use` blocks in the assistant's message, `tool_result` blocks in the user's next one.
#include "messages/formats/codec.hpp"

namespace toolwire::bridge::formats {
namespace {

constexpr std::string_view format = "anthropic";

AssistantBlock read_block(const At& block) {
  const std::string type = block["type"].text();
  if (type == "text") return TextBlock{block["text"].text()};
  if (type != "tool_use") return OtherBlock{std::string(format), block.json()};
  ToolCallBlock call{.id = block["id"].text(), .name = block["name"].text(), .input = block["input"].json()};
  if (JsonObject extra = others(block.object(), {"type", "id", "name", "input"}); !extra.empty())
    call.extra[format] = std::move(extra);
  return call;
}

/// `content` is a list of blocks, or a text, which stands for one text block.
void each_block(const At& content, const std::function<void(const At&)>& each) {
  if (!content.json().is_string()) return content.each(each);
  const Json block = JsonObject{{"type", "text"}, {"text", content.json()}};
  each(At(block));
}

StopReason stop_reason(const std::string& reason) {
  if (reason == "tool_use") return StopReason::tool_use;
  return reason == "max_tokens" || reason == "model_context_window_exceeded" ? StopReason::length : StopReason::stop;
}

AssistantMessage read_answer(const At& response) {
  AssistantMessage message;
  each_block(response["content"], [&](const At& block) { message.content.push_back(read_block(block)); });
  message.stop_reason = stop_reason(response.text_or("stop_reason"));
  message.model = response.text_or("model");
  if (response.has("usage"))
    message.usage = {response["usage"].count_or_zero("input_tokens"), response["usage"].count_or_zero("output_tokens")};
  return message;
}

void write_block(JsonArray& content, const TextBlock& block) {
  if (!block.text.empty()) content.push_back(JsonObject{{"type", "text"}, {"text", block.text}});
}

void write_block(JsonArray& content, const ToolCallBlock& call) {
  JsonObject block{{"type", "tool_use"}, {"id", call.id}, {"name", call.name}};
  block["input"] = call.input.is_object() ? call.input : Json(JsonObject{});  // the API takes objects only
  for (const auto& [name, value] : extra_of(call, format)) block[name] = value;
  content.push_back(std::move(block));
}

void write_block(JsonArray& content, const OtherBlock& other) {
  if (other.format == format) content.push_back(other.block);
}

Json written(const ToolResultMessage& result) {
  JsonArray content;
  for (const TextBlock& block : result.content) write_block(content, block);
  for (const ImageBlock& image : result.images)
    content.push_back(
        JsonObject{{"type", "image"},
                   {"source", JsonObject{{"type", "base64"}, {"media_type", image.media_type}, {"data", image.data}}}});
  JsonObject block{{"type", "tool_result"}, {"tool_use_id", result.tool_call_id}, {"content", std::move(content)}};
  if (result.is_error) block["is_error"] = true;
  return block;
}

/// The content of the user's message that ends the array so far: results, and what the user says then, are one message.
JsonArray& user_content(JsonArray& messages) {
  if (messages.empty() || messages.back().at("role") != "user")
    messages.push_back(JsonObject{{"role", "user"}, {"content", JsonArray{}}});
  return messages.back().get_object()["content"].get_array();
}

JsonArray write_context(const std::vector<Message>& context) {
  JsonArray messages;
  for (const Message& message : context) {
    if (const auto* user = std::get_if<UserMessage>(&message)) {
      for (const TextBlock& block : user->content) write_block(user_content(messages), block);
    } else if (const auto* result = std::get_if<ToolResultMessage>(&message)) {
      user_content(messages).push_back(written(*result));
    } else {
      JsonArray content;
      for (const AssistantBlock& block : std::get<AssistantMessage>(message).content)
        std::visit([&](const auto& one) { write_block(content, one); }, block);
      messages.push_back(JsonObject{{"role", "assistant"}, {"content", std::move(content)}});
    }
  }
  return messages;
}

ToolResultMessage read_result(const At& block) {
  ToolResultMessage result{.tool_call_id = block["tool_use_id"].text()};
  result.is_error = block.has("is_error") && block["is_error"].json() == true;
  if (!block.has("content")) return result;
  each_block(block["content"], [&](const At& one) {
    if (one["type"].text() != "text") one.wrong("a block of text");
    result.content.push_back({one["text"].text()});
  });
  return result;
}

void read_user(const At& content, std::vector<Message>& messages) {
  UserMessage said;
  each_block(content, [&](const At& block) {
    const std::string type = block["type"].text();
    if (type == "tool_result") return void(messages.emplace_back(read_result(block)));
    if (type != "text") block.wrong("a block of the type text or tool_result");
    said.content.push_back({block["text"].text()});
  });
  if (!said.content.empty()) messages.emplace_back(std::move(said));
}

std::vector<Message> read_context(const At& array) {
  std::vector<Message> messages;
  array.each([&](const At& one) {
    const std::string role = one["role"].text();
    if (role == "user") return read_user(one["content"], messages);
    if (role != "assistant") one["role"].wrong("\"user\" or \"assistant\"");
    AssistantMessage message = read_answer(one);
    settle_stop_reason(message);
    messages.emplace_back(std::move(message));
  });
  return messages;
}

Json write_tool(const ToolDefinition& tool) {
  return JsonObject{{"name", tool.name}, {"description", tool.description}, {"input_schema", tool.parameters}};
}

Entry read_entry(const At& element) {
  Entry entry{.is_model = element.text_or("role") == "assistant", .takes_results = element.text_or("role") == "user"};
  entry.is_user = entry.takes_results && element.has("content") && element["content"].json().is_string();
  if (!element.has("content") || !element["content"].json().is_array()) return entry;
  std::size_t index = 0;
  element["content"].each([&](const At& block) {
    const std::string type = block.text_or("type");
    if (entry.is_model && type == "tool_use") entry.message.content.push_back(read_block(block));
    if (entry.takes_results && type == "tool_result")
      entry.results.push_back({.id = block["tool_use_id"].text(), .block = index});
    if (entry.takes_results && type != "tool_result") entry.is_user = true;
    ++index;
  });
  settle_stop_reason(entry.message);
  return entry;
}

JsonArray context_of(const At& answer) {
  return {JsonObject{{"role", "assistant"}, {"content", answer["content"].json()}}};
}

}  // namespace

Codec anthropic() {
  return {read_answer, write_context, read_context, write_tool, read_entry, written, context_of, "content"};
}

}  // namespace toolwire::bridge::formats
