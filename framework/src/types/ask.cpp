#include "toolwire/ask.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <variant>

#include <toolwire/json_members.hpp>

#include "types/base64.hpp"
#include "types/random_id.hpp"

namespace toolwire {
namespace {

[[noreturn]] void refuse(std::string_view key, const std::string& why) {
  throw std::invalid_argument("question \"" + std::string(key) + "\": " + why);
}

/// RFC 3986 §3: a scheme and something behind it, no white space, nothing that is not ASCII.
bool is_absolute_url(std::string_view url) {
  const std::size_t colon = url.find(':');
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == url.size()) return false;
  auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  auto in_scheme = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.'; };
  return is_letter(url.front()) &&
         std::all_of(url.begin(), url.begin() + static_cast<std::ptrdiff_t>(colon), in_scheme) &&
         std::all_of(url.begin(), url.end(), [](char c) { return c > ' ' && c <= '~'; });
}

JsonObject bytes_block(std::string_view type, const std::string& bytes, const std::string& mime_type) {
  return {{"type", type}, {"data", types::base64(bytes)}, {"mimeType", mime_type}};
}

struct BlockOf {
  std::string_view key;
  Json operator()(const TextContent& text) const { return JsonObject{{"type", "text"}, {"text", text.text}}; }
  Json operator()(const ImageContent& image) const { return bytes_block("image", image.bytes, image.mime_type); }
  Json operator()(const AudioContent& audio) const { return bytes_block("audio", audio.bytes, audio.mime_type); }
  Json operator()(const Json& verbatim) const { return verbatim; }
  Json operator()(const ResourceLink&) const { return unfit(); }
  Json operator()(const EmbeddedResource&) const { return unfit(); }
  [[noreturn]] Json unfit() const {
    refuse(key, "a message to a model has text, images and audio, but no resources; put their text in");
  }
};

Json message_json(std::string_view key, const ModelMessage& message) {
  if (message.role != "user" && message.role != "assistant")
    refuse(key, "a message to a model has the role \"user\" or \"assistant\"");
  if (message.content.empty()) refuse(key, "a message to a model has content");
  JsonArray blocks;
  for (const Content& content : message.content) blocks.push_back(std::visit(BlockOf{key}, content.item));
  JsonObject json{{"role", message.role}};
  json["content"] = blocks.size() == 1 ? std::move(blocks.front()) : Json(std::move(blocks));
  return json;
}

JsonObject preferences_json(const ModelPreferences& preferences) {
  JsonObject json;
  JsonArray hints;
  for (const std::string& hint : preferences.hints) hints.push_back(JsonObject{{"name", hint}});
  if (!hints.empty()) json["hints"] = std::move(hints);
  if (preferences.cost) json["costPriority"] = *preferences.cost;
  if (preferences.speed) json["speedPriority"] = *preferences.speed;
  if (preferences.intelligence) json["intelligencePriority"] = *preferences.intelligence;
  return json;
}

JsonArray tools_json(const std::vector<ModelTool>& tools) {
  JsonArray array;
  for (const ModelTool& tool : tools) {
    JsonObject json{{"name", tool.name}};
    if (!tool.description.empty()) json["description"] = tool.description;
    json["inputSchema"] = tool.input_schema;
    array.push_back(std::move(json));
  }
  return array;
}

std::string_view mode_of(ToolChoice choice) {
  switch (choice) {
    case ToolChoice::required:
      return "required";
    case ToolChoice::none:
      return "none";
    case ToolChoice::automatic:
      break;
  }
  return "auto";
}

bool is_of_type(const Json& block, std::string_view type) {
  return block.is_object() && text_or(block.get_object(), "type") == type;
}

}  // namespace

Json detail::any_object_schema() { return JsonObject{{"type", "object"}}; }

Questions ask_url(std::string key, std::string_view message, std::string_view url, std::string elicitation_id) {
  if (!is_absolute_url(url)) refuse(key, "\"" + std::string(url) + "\" is not an absolute URL, as https://host/path");
  Json params = JsonObject{{"mode", "url"},
                           {"message", message},
                           {"url", url},
                           {"elicitationId", elicitation_id.empty() ? types::random_id() : std::move(elicitation_id)}};
  return Questions{{{std::move(key), "elicitation/create", std::move(params)}}};
}

ModelMessage ModelMessage::user(std::string text) { return {"user", {{TextContent{std::move(text)}}}}; }
ModelMessage ModelMessage::assistant(std::string text) { return {"assistant", {{TextContent{std::move(text)}}}}; }

Questions ask_model(std::string key, const ModelRequest& request) {
  if (request.messages.empty()) refuse(key, "a request to a model has at least one message");
  if (request.max_tokens <= 0) refuse(key, "max_tokens must be at least 1");
  JsonArray messages;
  for (const ModelMessage& message : request.messages) messages.push_back(message_json(key, message));
  JsonObject params{{"messages", std::move(messages)}, {"maxTokens", request.max_tokens}};
  if (!request.system_prompt.empty()) params["systemPrompt"] = request.system_prompt;
  if (JsonObject preferences = preferences_json(request.preferences); !preferences.empty())
    params["modelPreferences"] = std::move(preferences);
  if (request.temperature) params["temperature"] = *request.temperature;
  if (!request.stop_sequences.empty())
    params["stopSequences"] = JsonArray(request.stop_sequences.begin(), request.stop_sequences.end());
  if (!request.metadata.empty()) params["metadata"] = request.metadata;
  if (!request.tools.empty()) params["tools"] = tools_json(request.tools);
  if (request.tool_choice) params["toolChoice"] = JsonObject{{"mode", mode_of(*request.tool_choice)}};
  return Questions{{{std::move(key), "sampling/createMessage", std::move(params)}}};
}

Questions ask_model(std::string key, std::string prompt, int max_tokens) {
  return ask_model(std::move(key),
                   ModelRequest{.messages = {ModelMessage::user(std::move(prompt))}, .max_tokens = max_tokens});
}

std::string ModelAnswer::text() const {
  std::string all;
  for (const Json& block : content) {
    if (is_of_type(block, "text")) all.append(all.empty() ? "" : "\n").append(text_or(block.get_object(), "text"));
  }
  return all;
}

std::vector<ToolUse> ModelAnswer::tool_uses() const {
  std::vector<ToolUse> uses;
  for (const Json& block : content) {
    if (!is_of_type(block, "tool_use")) continue;
    const JsonObject& use = block.get_object();
    const Json* input = use.if_contains("input");
    uses.push_back({text_or(use, "id"), text_or(use, "name"),
                    input != nullptr && input->is_object() ? input->get_object() : JsonObject()});
  }
  return uses;
}

ModelMessage ModelAnswer::as_message() const {
  ModelMessage message{role, {}};
  for (const Json& block : content) message.content.push_back({block});
  return message;
}

ModelMessage tool_results(const std::vector<ToolUseResult>& results) {
  ModelMessage message;
  for (const ToolUseResult& result : results) {
    JsonObject block{{"type", "tool_result"},
                     {"toolUseId", result.id},
                     {"content", JsonArray{JsonObject{{"type", "text"}, {"text", result.text}}}}};
    if (result.is_error) block["isError"] = true;
    message.content.push_back({Json(std::move(block))});
  }
  return message;
}

Questions ask_roots(std::string key) { return Questions{{{std::move(key), "roots/list", nullptr}}}; }

}  // namespace toolwire
