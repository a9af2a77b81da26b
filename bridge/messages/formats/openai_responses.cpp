// OpenAI's Responses: everything is an item of one list, `function_call` and `function_call_output` among them.
#include "messages/formats/codec.hpp"
#include "messages/formats/openai.hpp"

namespace toolwire::bridge::formats {
namespace {

constexpr std::string_view format = "openai-responses";

ToolCallBlock read_call(const At& item) {
  ToolCallBlock call{.id = item["call_id"].text(), .name = item["name"].text()};
  read_arguments(call, item.text_or("arguments"));
  if (JsonObject extra = others(item.object(), {"type", "call_id", "name", "arguments"}); !extra.empty())
    call.extra[format] = std::move(extra);
  return call;
}

bool is_message(const At& item) { return item.text_or("type", "message") == "message"; }

void read_item(const At& item, AssistantMessage& message) {
  if (is_message(item)) {
    read_texts(item["content"], [&](TextBlock block) { message.content.emplace_back(std::move(block)); });
  } else if (item["type"].text() == "function_call") {
    message.content.emplace_back(read_call(item));
  } else {
    message.content.emplace_back(OtherBlock{std::string(format), item.json()});
  }
}

StopReason stop_reason(const At& response) {
  const std::string status = response.text_or("status", "completed");
  if (status == "completed") return StopReason::stop;
  if (status == "cancelled") return StopReason::aborted;
  const bool cut =
      response.has("incomplete_details") && response["incomplete_details"].text_or("reason") == "max_output_tokens";
  return cut ? StopReason::length : StopReason::error;
}

AssistantMessage read_answer(const At& response) {
  AssistantMessage message;
  response["output"].each([&](const At& item) { read_item(item, message); });
  message.stop_reason = stop_reason(response);
  message.model = response.text_or("model");
  if (response.has("usage"))
    message.usage = {response["usage"].count_or_zero("input_tokens"), response["usage"].count_or_zero("output_tokens")};
  settle_stop_reason(message);
  return message;
}

Json said(std::string_view role, std::string_view type, std::string text) {
  return JsonObject{{"type", "message"},
                    {"role", role},
                    {"content", JsonArray{JsonObject{{"type", type}, {"text", std::move(text)}}}}};
}

Json item_of(const TextBlock& block) { return said("assistant", "output_text", block.text); }

Json item_of(const ToolCallBlock& call) {
  JsonObject item = extra_of(call, format);
  item["type"] = "function_call";
  item["call_id"] = call.id;
  item["name"] = call.name;
  item["arguments"] = arguments_text(call);
  return item;
}

Json item_of(const OtherBlock& other) { return other.format == format ? other.block : Json(); }

/// A text, or parts where there are images.
Json output_of(const ToolResultMessage& result) {
  if (result.images.empty()) return Json(result_text(result));
  JsonArray parts{JsonObject{{"type", "input_text"}, {"text", result_text(result)}}};
  for (const ImageBlock& image : result.images)
    parts.push_back(JsonObject{{"type", "input_image"},
                               {"detail", "auto"},
                               {"image_url", "data:" + image.media_type + ";base64," + image.data}});
  return parts;
}

Json item_of(const ToolResultMessage& result) {
  return JsonObject{{"type", "function_call_output"}, {"call_id", result.tool_call_id}, {"output", output_of(result)}};
}

JsonArray write_context(const std::vector<Message>& context) {
  JsonArray items;
  for (const Message& message : context) {
    if (const auto* user = std::get_if<UserMessage>(&message)) {
      items.push_back(said("user", "input_text", text_of(*user)));
    } else if (const auto* result = std::get_if<ToolResultMessage>(&message)) {
      items.push_back(item_of(*result));
    } else {
      for (const AssistantBlock& block : std::get<AssistantMessage>(message).content) {
        Json item = std::visit([](const auto& one) { return item_of(one); }, block);
        if (!item.is_null()) items.push_back(std::move(item));
      }
    }
  }
  return items;
}

/// The assistant's message the items so far end with; neighbouring items of the model are one message.
AssistantMessage& last_answer(std::vector<Message>& messages) {
  if (messages.empty() || !std::holds_alternative<AssistantMessage>(messages.back()))
    messages.emplace_back(AssistantMessage{});
  return std::get<AssistantMessage>(messages.back());
}

std::vector<Message> read_context(const At& array) {
  std::vector<Message> messages;
  array.each([&](const At& item) {
    if (item.text_or("type") == "function_call_output")
      return void(messages.emplace_back(read_result(item["call_id"].text(), item["output"])));
    if (!is_message(item) || item["role"].text() == "assistant") return read_item(item, last_answer(messages));
    if (item["role"].text() != "user") item["role"].wrong("\"user\" or \"assistant\"");
    UserMessage user;
    read_texts(item["content"], [&](TextBlock block) { user.content.push_back(std::move(block)); });
    messages.emplace_back(std::move(user));
  });
  for (Message& message : messages) {
    if (auto* answer = std::get_if<AssistantMessage>(&message)) settle_stop_reason(*answer);
  }
  return messages;
}

Json write_tool(const ToolDefinition& tool) {
  return JsonObject{
      {"type", "function"}, {"name", tool.name}, {"description", tool.description}, {"parameters", tool.parameters}};
}

/// Items of other types are the model's (reasoning, calls of tools of the API), or answers to those.
Entry read_entry(const At& item) {
  const std::string type = item.text_or("type", "message");
  const std::string role = item.text_or("role");
  Entry entry;
  if (type == "function_call") {
    entry.message.content.emplace_back(read_call(item));
  } else if (type == "function_call_output") {
    entry.results.push_back({.id = item["call_id"].text()});
  }
  entry.is_user = type == "message" && role == "user";
  const bool is_answer = type.ends_with("_output") || type.ends_with("_response") || type == "item_reference";
  entry.is_model = type == "message" ? role == "assistant" : !is_answer;
  return entry;
}

JsonArray context_of(const At& answer) { return answer["output"].json().get_array(); }

Json write_result(const ToolResultMessage& result) { return item_of(result); }

}  // namespace

Codec openai_responses() {
  return {.read_answer = read_answer,
          .write_context = write_context,
          .read_context = read_context,
          .write_tool = write_tool,
          .read_entry = read_entry,
          .write_result = write_result,
          .context_of = context_of,
          .joins = true,
          .conversation = "input"};
}

}  // namespace toolwire::bridge::formats
