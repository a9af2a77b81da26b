// Gemini's generateContent: parts with a `functionCall` in the model's content, with a `functionResponse` in the
// user's. A call may have no id; its result is then found by name and order.
#include <toolwire/json_members.hpp>

#include "messages/formats/codec.hpp"

namespace toolwire::bridge::formats {
namespace {

constexpr std::string_view format = "gemini";

AssistantBlock read_part(const At& part) {
  if (part.has("functionCall")) {
    const At call = part["functionCall"];
    ToolCallBlock block{.id = call.text_or("id"), .name = call["name"].text(), .input = JsonObject{}};
    if (call.has("args")) block.input = call["args"].json();
    if (JsonObject extra = others(part.object(), {"functionCall"}); !extra.empty())
      block.extra[format] = std::move(extra);
    return block;
  }
  const bool is_plain_text = part.has("text") && part.object().size() == 1;
  if (is_plain_text) return TextBlock{part["text"].text()};
  return OtherBlock{std::string(format), part.json()};
}

AssistantMessage read_content(const At& content) {
  AssistantMessage message;
  if (content.has("parts")) content["parts"].each([&](const At& part) { message.content.push_back(read_part(part)); });
  return message;
}

StopReason stop_reason(const std::string& reason) {
  if (reason.empty() || reason == "STOP") return StopReason::stop;
  return reason == "MAX_TOKENS" ? StopReason::length : StopReason::error;
}

AssistantMessage read_answer(const At& response) {
  static const Json nothing = JsonObject{};
  std::optional<AssistantMessage> first;
  response["candidates"].each([&](const At& candidate) {
    if (first) return;
    first = read_content(candidate.has("content") ? candidate["content"] : At(nothing));
    first->stop_reason = stop_reason(candidate.text_or("finishReason"));
  });
  if (!first) response["candidates"].wrong("an array with one candidate at least");
  first->model = response.text_or("modelVersion");
  if (response.has("usageMetadata")) {
    const At usage = response["usageMetadata"];
    first->usage = {usage.count_or_zero("promptTokenCount"),
                    usage.count_or_zero("candidatesTokenCount") + usage.count_or_zero("thoughtsTokenCount")};
  }
  settle_stop_reason(*first);
  return *first;
}

Json part_of(const TextBlock& block) { return JsonObject{{"text", block.text}}; }

Json part_of(const ToolCallBlock& call) {
  JsonObject function{{"name", call.name}, {"args", call.input.is_object() ? call.input : Json(JsonObject{})}};
  if (!call.id.empty()) function["id"] = call.id;
  JsonObject part = extra_of(call, format);
  part["functionCall"] = std::move(function);
  return part;
}

Json part_of(const OtherBlock& other) { return other.format == format ? other.block : Json(); }

Json part_of(const ToolResultMessage& result) {
  JsonObject response{{result.is_error ? "error" : "output", result.text()}};
  JsonObject function{{"name", result.tool_name}, {"response", std::move(response)}};
  if (!result.tool_call_id.empty()) function["id"] = result.tool_call_id;
  return JsonObject{{"functionResponse", std::move(function)}};
}

/// The parts of the content that ends the array so far, if it is of this role, else of a new one.
JsonArray& parts_of(JsonArray& contents, std::string_view role) {
  if (contents.empty() || contents.back().at("role") != Json(role))
    contents.push_back(JsonObject{{"role", role}, {"parts", JsonArray{}}});
  return contents.back().get_object()["parts"].get_array();
}

JsonArray write_context(const std::vector<Message>& context) {
  JsonArray contents;
  for (const Message& message : context) {
    if (const auto* user = std::get_if<UserMessage>(&message)) {
      for (const TextBlock& block : user->content) parts_of(contents, "user").push_back(part_of(block));
    } else if (const auto* result = std::get_if<ToolResultMessage>(&message)) {
      parts_of(contents, "user").push_back(part_of(*result));
    } else {
      for (const AssistantBlock& block : std::get<AssistantMessage>(message).content) {
        Json part = std::visit([](const auto& one) { return part_of(one); }, block);
        if (!part.is_null()) parts_of(contents, "model").push_back(std::move(part));
      }
    }
  }
  return contents;
}

ToolResultMessage read_result(const At& response) {
  ToolResultMessage result{.tool_call_id = response.text_or("id"), .tool_name = response["name"].text()};
  const At value = response["response"];
  result.is_error = value.has("error");
  const std::string_view known = result.is_error ? "error" : "output";
  const Json& body = value.has(known) ? value[known].json() : value.json();
  result.content.push_back({body.is_string() ? std::string(body.get_string()) : to_json_text(body)});
  return result;
}

void read_user(const At& content, std::vector<Message>& messages) {
  UserMessage said;
  content["parts"].each([&](const At& part) {
    if (part.has("functionResponse")) return void(messages.emplace_back(read_result(part["functionResponse"])));
    said.content.push_back({part["text"].text()});
  });
  if (!said.content.empty()) messages.emplace_back(std::move(said));
}

std::vector<Message> read_context(const At& array) {
  std::vector<Message> messages;
  array.each([&](const At& content) {
    const std::string role = content.text_or("role", "user");
    if (role == "user" || role == "function") return read_user(content, messages);
    if (role != "model") content["role"].wrong("\"user\" or \"model\"");
    AssistantMessage message = read_content(content);
    settle_stop_reason(message);
    messages.emplace_back(std::move(message));
  });
  return messages;
}

Json write_tool(const ToolDefinition& tool) {
  return JsonObject{{"name", tool.name}, {"description", tool.description}, {"parametersJsonSchema", tool.parameters}};
}

Entry read_entry(const At& content) {
  const std::string role = content.text_or("role", "user");
  Entry entry{.is_model = role == "model", .takes_results = role == "user" || role == "function"};
  if (!content.has("parts") || !content["parts"].json().is_array()) {
    entry.takes_results = false;
    return entry;
  }
  std::size_t index = 0;
  content["parts"].each([&](const At& part) {
    const bool is_result = entry.takes_results && part.has("functionResponse");
    if (entry.is_model && part.has("functionCall")) entry.message.content.push_back(read_part(part));
    if (is_result) {
      const At result = part["functionResponse"];
      entry.results.push_back({result.text_or("id"), result["name"].text(), index});
    }
    if (entry.takes_results && !is_result) entry.is_user = true;
    ++index;
  });
  settle_stop_reason(entry.message);
  return entry;
}

JsonArray context_of(const At& answer) {
  const Json& candidate = answer["candidates"].json().get_array().front();
  const Json* const content = find_member(candidate, "content");
  return content == nullptr ? JsonArray{} : JsonArray{*content};
}

Json write_result(const ToolResultMessage& result) { return part_of(result); }

}  // namespace

Codec gemini() {
  return {.read_answer = read_answer,
          .write_context = write_context,
          .read_context = read_context,
          .write_tool = write_tool,
          .read_entry = read_entry,
          .write_result = write_result,
          .context_of = context_of,
          .blocks = "parts",
          .conversation = "contents",
          .declarations = "functionDeclarations"};
}

}  // namespace toolwire::bridge::formats
