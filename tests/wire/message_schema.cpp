#include "message_schema.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <utility>

namespace toolwire_test {
namespace {

using toolwire::Json;
using toolwire::JsonArray;
using toolwire::JsonObject;
using toolwire::Schema;
using toolwire::to_json_text;

/// An erratum of 2025-06-18 and 2025-11-25: the bounds of a number in a form are numbers (schema.ts), not integers.
void mend(Json& document) {
  for (std::string_view definitions : {"definitions", "$defs"}) {
    JsonObject* all = document.as_object().if_contains(definitions) ? &document.at(definitions).as_object() : nullptr;
    if (all == nullptr || !all->contains("NumberSchema")) continue;
    for (auto& [name, property] : all->at("NumberSchema").at("properties").as_object()) {
      if (name == "minimum" || name == "maximum" || name == "default") property.as_object()["type"] = "number";
    }
  }
}

/// The official schema of a revision, read once; null if there is none.
const Json* document_of(const std::string& revision) {
  static std::map<std::string, std::unique_ptr<Json>> documents;
  auto [found, is_new] = documents.try_emplace(revision);
  if (is_new) {
    std::ifstream file(std::filesystem::path(TOOLWIRE_SHARED_DIR) / "mcp-schemas" / (revision + ".json"));
    const std::string text(std::istreambuf_iterator<char>(file), {});
    if (text.empty()) return nullptr;
    found->second = std::make_unique<Json>(toolwire::parse_json(text));
    mend(*found->second);
  }
  return found->second.get();
}

std::string_view definitions_in(const Json& document) {
  return document.as_object().contains("$defs") ? "$defs" : "definitions";
}

bool defines(const Json& document, std::string_view definition) {
  return document.as_object().at(definitions_in(document)).as_object().contains(definition);
}

const Schema& compiled(const std::string& revision, const Json& document, std::string_view definition) {
  static std::map<std::pair<std::string, std::string>, Schema> schemas;
  const std::pair key(revision, std::string(definition));
  auto found = schemas.find(key);
  if (found == schemas.end()) {
    const std::string_view definitions = definitions_in(document);
    JsonObject root{{"$ref", "#/" + std::string(definitions) + "/" + std::string(definition)}};
    root[definitions] = document.as_object().at(definitions);
    if (const Json* dialect = document.as_object().if_contains("$schema")) root["$schema"] = *dialect;
    found = schemas.emplace(key, Schema::compile(root)).first;
  }
  return found->second;
}

}  // namespace

MessageSchemas::MessageSchemas(std::string revision)
    : revision_(std::move(revision)), document_(document_of(revision_)) {}

void MessageSchemas::sent(const Json& message) {
  if (const JsonArray* batch = message.if_array()) {
    for (const Json& member : *batch) sent(member);
  }
  const JsonObject* object = message.if_object();
  const Json* id = object != nullptr ? object->if_contains("id") : nullptr;
  const Json* method = object != nullptr ? object->if_contains("method") : nullptr;
  if (id != nullptr && method != nullptr && method->is_string()) {
    methods_[to_json_text(*id)] = std::string_view(method->get_string());
  }
}

std::string MessageSchemas::objection(const Json& message) {
  if (document_ == nullptr) return "";
  if (const JsonArray* batch = message.if_array()) {
    for (const Json& member : *batch) {
      if (std::string why = objection(member); !why.empty()) return why;
    }
    return "";
  }
  const JsonObject* object = message.if_object();
  if (object == nullptr) return "a message must be an object";
  if (object->contains("result")) return of_result(*object);
  // Revisions before 2025-11-25 require an id where JSON-RPC has none: it is left out there as well.
  if (object->contains("error") && !object->contains("id")) return "";
  if (object->contains("error"))
    return against(defines(*document_, "JSONRPCError") ? "JSONRPCError" : "JSONRPCErrorResponse", message);
  if (const Json* method = object->if_contains("method");
      !defines(*document_, "Task") && method != nullptr && *method == "notifications/tasks") {
    return against("JSONRPCMessage", message);  // of an extension
  }
  return against(object->contains("id") ? "ServerRequest" : "ServerNotification", message);
}

std::string MessageSchemas::of_result(const JsonObject& message) {
  static const std::map<std::string_view, std::string_view> definitions{
      {"initialize", "InitializeResult"},
      {"ping", "EmptyResult"},
      {"tools/list", "ListToolsResult"},
      {"tools/call", "CallToolResult"},
      {"prompts/list", "ListPromptsResult"},
      {"prompts/get", "GetPromptResult"},
      {"logging/setLevel", "EmptyResult"},
      {"resources/list", "ListResourcesResult"},
      {"resources/read", "ReadResourceResult"},
      {"resources/templates/list", "ListResourceTemplatesResult"},
      {"resources/subscribe", "EmptyResult"},
      {"resources/unsubscribe", "EmptyResult"},
      {"completion/complete", "CompleteResult"},
      {"server/discover", "DiscoverResult"},
      {"tasks/get", "GetTaskResult"},
      {"tasks/cancel", "CancelTaskResult"},
      {"tasks/list", "ListTasksResult"},
      {"tasks/result", "CallToolResult"},
      {"subscriptions/listen", "SubscriptionsListenResult"}};
  if (std::string why = against("JSONRPCMessage", message); !why.empty()) return why;
  auto method = methods_.find(to_json_text(message.at("id")));
  auto definition = method != methods_.end() ? definitions.find(method->second) : definitions.end();
  if (definition == definitions.end()) return "";
  const bool of_extension = definition->first.starts_with("tasks/") && !defines(*document_, "Task");
  if (of_extension) return "";
  const Json& result = message.at("result");
  const Json* type = result.is_object() ? result.get_object().if_contains("resultType") : nullptr;
  if (type != nullptr && *type == "task") return "";  // of an extension, which this schema does not have
  if (result.is_object() && result.get_object().contains("task")) return against("CreateTaskResult", result);
  if (type != nullptr && *type == "input_required") return against("InputRequiredResult", result);
  return against(definition->second, result);
}

std::string MessageSchemas::against(std::string_view definition, const Json& value) {
  if (!defines(*document_, definition)) return revision_ + " has no " + std::string(definition);
  auto violations = compiled(revision_, *document_, definition).validate(value);
  return violations.empty() ? ""
                            : "no " + std::string(definition) + " of " + revision_ + ": " + violations.front().text();
}

}  // namespace toolwire_test
