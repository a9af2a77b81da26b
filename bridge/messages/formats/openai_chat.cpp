// OpenAI's Chat Completions: `tool_calls` of the assistant's message, whose arguments are JSON as text, and a message
// of the role `tool` for each result.
#include "messages/formats/codec.hpp"
#include "messages/formats/openai.hpp"

namespace toolwire::bridge::formats {
namespace {

constexpr std::string_view format = "openai";

ToolCallBlock read_call(const At& block) {
  ToolCallBlock call{.id = block["id"].text()};
  if (block.text_or("type", "function") != "function") {
    call.name = block.text_or("type");
    if (block.has(call.name)) call.name = block[call.name].text_or("name", call.name);
    call.input = nullptr;  // a call without an object of arguments (free text, for example)
    call.extra[format] = block.object();
    return call;
  }
  call.name = block["function"]["name"].text();
  read_arguments(call, block["function"].text_or("arguments"));
  if (JsonObject extra = others(block.object(), {"type", "id", "function"}); !extra.empty())
    call.extra[format] = std::move(extra);
  return call;
}

AssistantMessage read_message(const At& json) {
  AssistantMessage message;
  if (json.has("content"))
    read_texts(json["content"], [&](TextBlock block) { message.content.emplace_back(std::move(block)); });
  if (json.has("refusal")) message.content.emplace_back(TextBlock{json["refusal"].text()});
  if (json.has("tool_calls"))
    json["tool_calls"].each([&](const At& call) { message.content.emplace_back(read_call(call)); });
  return message;
}

StopReason stop_reason(const std::string& reason) {
  if (reason == "length") return StopReason::length;
  if (reason == "content_filter") return StopReason::error;
  return reason == "tool_calls" ? StopReason::tool_use : StopReason::stop;
}

AssistantMessage read_answer(const At& response) {
  std::optional<AssistantMessage> first;
  response["choices"].each([&](const At& choice) {
    if (first) return;
    first = read_message(choice["message"]);
    first->stop_reason = stop_reason(choice.text_or("finish_reason"));
  });
  if (!first) response["choices"].wrong("an array with one choice at least");
  first->model = response.text_or("model");
  if (response.has("usage"))
    first->usage = {response["usage"].count_or_zero("prompt_tokens"),
                    response["usage"].count_or_zero("completion_tokens")};
  settle_stop_reason(*first);  // a request that forces a certain tool ends with "stop" as well
  return *first;
}

Json written(const ToolCallBlock& call) {
  JsonObject json = extra_of(call, format);
  json["id"] = call.id;
  if (json.contains("type")) return json;
  json["type"] = "function";
  json["function"] = JsonObject{{"name", call.name}, {"arguments", arguments_text(call)}};
  return json;
}

Json written(const AssistantMessage& message) {
  std::string text;
  JsonArray calls;
  for (const AssistantBlock& block : message.content) {
    if (const auto* said = std::get_if<TextBlock>(&block)) text.append(text.empty() ? "" : "\n").append(said->text);
    if (const auto* call = std::get_if<ToolCallBlock>(&block)) calls.push_back(written(*call));
  }
  JsonObject json{{"role", "assistant"}, {"content", text.empty() && !calls.empty() ? Json() : Json(text)}};
  if (!calls.empty()) json["tool_calls"] = std::move(calls);
  return json;
}

Json written(const ToolResultMessage& result) {
  return JsonObject{{"role", "tool"}, {"tool_call_id", result.tool_call_id}, {"content", result_text(result)}};
}

JsonArray write_context(const std::vector<Message>& context) {
  JsonArray messages;
  for (const Message& message : context) {
    if (const auto* user = std::get_if<UserMessage>(&message)) {
      messages.push_back(JsonObject{{"role", "user"}, {"content", text_of(*user)}});
    } else if (const auto* result = std::get_if<ToolResultMessage>(&message)) {
      messages.push_back(written(*result));
    } else {
      messages.push_back(written(std::get<AssistantMessage>(message)));
    }
  }
  return messages;
}

std::vector<Message> read_context(const At& array) {
  std::vector<Message> messages;
  array.each([&](const At& one) {
    const std::string role = one["role"].text();
    if (role == "tool") return void(messages.emplace_back(read_result(one["tool_call_id"].text(), one["content"])));
    if (role == "assistant") {
      AssistantMessage message = read_message(one);
      settle_stop_reason(message);
      return void(messages.emplace_back(std::move(message)));
    }
    if (role != "user") one["role"].wrong("\"user\", \"assistant\" or \"tool\"");
    UserMessage user;
    read_texts(one["content"], [&](TextBlock block) { user.content.push_back(std::move(block)); });
    messages.emplace_back(std::move(user));
  });
  return messages;
}

Json write_tool(const ToolDefinition& tool) {
  return JsonObject{
      {"type", "function"},
      {"function",
       JsonObject{{"name", tool.name}, {"description", tool.description}, {"parameters", tool.parameters}}}};
}

Entry read_entry(const At& element) {
  const std::string role = element.text_or("role");
  Entry entry{.is_model = role == "assistant", .is_user = role == "user"};
  if (role == "tool") entry.results.push_back({.id = element["tool_call_id"].text()});
  if (entry.is_model && element.has("tool_calls"))
    element["tool_calls"].each([&](const At& call) { entry.message.content.emplace_back(read_call(call)); });
  settle_stop_reason(entry.message);
  return entry;
}

JsonArray context_of(const At& answer) { return {answer["choices"].json().get_array().front().at("message")}; }

Json write_result(const ToolResultMessage& result) { return written(result); }

}  // namespace

Codec openai_chat() {
  return {read_answer, write_context, read_context, write_tool, read_entry, write_result, context_of};
}

}  // namespace toolwire::bridge::formats
