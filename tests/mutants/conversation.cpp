#include "conversation.hpp"

#include "pointers.hpp"

namespace mutants {
namespace {

using toolwire::Json;
using toolwire::JsonObject;

std::string text_at(const Json& json, std::string_view pointer) {
  const Json* found = find(json, pointer);
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : std::string();
}

Json parsed(std::string_view line) {
  try {
    return toolwire::parse_json(line, {.max_depth = toolwire::greatest_json_depth});
  } catch (const toolwire::JsonError&) {
    return nullptr;
  }
}

bool has(const Json& message, const char* name) { return message.is_object() && message.get_object().contains(name); }

/// `with_id`, `without`: the kinds of a message with a method.
std::string kind_of(const Json& message, const char* with_id, const char* without) {
  if (has(message, "method")) return has(message, "id") ? with_id : without;
  return "other";
}

}  // namespace

void Conversation::remember(const Json& message) {
  if (message.is_array()) {
    for (const Json& member : message.get_array()) remember(member);
  }
  if (!has(message, "method")) return;
  if (has(message, "id")) requests_[toolwire::to_json_text(message.at("id"))] = message;
  const std::string stated = text_at(message, "/params/_meta/io.modelcontextprotocol~1protocolVersion");
  if (!stated.empty()) revision_ = stated;
}

Event Conversation::from_host(std::string_view line) {
  Event event{.direction = Direction::to_server, .line = std::string(line), .message = parsed(line)};
  event.kind = event.message.is_array() ? "batch" : kind_of(event.message, "request", "notification");
  if (event.kind == "other" && (has(event.message, "result") || has(event.message, "error"))) event.kind = "response";
  remember(event.message);
  event.method = text_at(event.message, "/method");
  if (event.kind == "request") event.request = event.message;
  event.revision = revision_;
  return event;
}

Event Conversation::from_server(std::string_view line) {
  Event event{.direction = Direction::to_host, .line = std::string(line), .message = parsed(line)};
  event.kind = event.message.is_array() ? "batch_answer" : kind_of(event.message, "question", "notice");
  event.method = text_at(event.message, "/method");
  if (event.kind == "other" && has(event.message, "id")) {
    event.kind = has(event.message, "error") ? "error" : has(event.message, "result") ? "result" : "other";
    auto open = requests_.find(toolwire::to_json_text(event.message.at("id")));
    if (open != requests_.end()) {
      event.request = std::move(open->second);
      requests_.erase(open);
      event.method = text_at(event.request, "/method");
    }
  }
  if (event.kind == "result" && event.method == "initialize")
    revision_ = text_at(event.message, "/result/protocolVersion");
  event.revision = revision_;
  return event;
}

}  // namespace mutants
