#include "remote/received_message.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <toolwire/error.hpp>
#include <toolwire/json_members.hpp>

namespace toolwire::remote {
namespace {

/// Line feeds stand between the parts of a JSON text only, never in its strings.
std::string in_one_line(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

}  // namespace

bool ReceivedMessage::is_response() const {
  return find_member(json, "method") == nullptr &&
         (find_member(json, "result") != nullptr || find_member(json, "error") != nullptr);
}

bool ReceivedMessage::answers(const Json& id) const {
  if (!is_response()) return false;
  const Json& named = member_or_null(json, "id");
  return named == id || (id.is_int64() && named == Json(to_json_text(id)));
}

const JsonObject* ReceivedMessage::error_without_id() const {
  const bool is_one = is_response() && find_member(json, "result") == nullptr && member_or_null(json, "id").is_null();
  return is_one ? object_member(json, "error") : nullptr;
}

std::vector<ReceivedMessage> received_messages(std::string text) {
  Json json = parse_json(text, {.max_values = usual_json_values});
  std::vector<ReceivedMessage> messages;
  if (JsonArray* const batch = json.if_array()) {
    for (Json& one : *batch) messages.push_back({.line = to_json_text(one), .json = one});
  } else {
    messages.push_back({.line = in_one_line(std::move(text)), .json = std::move(json)});
  }
  return messages;
}

std::optional<JsonObject> error_in(std::string_view body) {
  try {
    const Json json = parse_json(body, {.max_values = usual_json_values});
    const JsonObject* const error = object_member(json, "error");
    const Json* const code = error == nullptr ? nullptr : error->if_contains("code");
    if (code == nullptr || !code->is_int64() || text_member(*error, "message").empty()) return std::nullopt;
    return *error;
  } catch (const JsonError&) {
    return std::nullopt;
  }
}

std::string error_line(const Json& id, const JsonObject& error) {
  return to_json_text(JsonObject{{"jsonrpc", "2.0"}, {"id", id}, {"error", error}});
}

std::string failure_line(const Json& id, const Failure& failure) {
  JsonObject data{{"code", failure.code}, {"retryable", failure.retryable}};
  if (failure.retry_after_ms) data["retryAfterMs"] = *failure.retry_after_ms;
  if (failure.is_unknown) data["outcome"] = "unknown";
  return error_line(id,
                    {{"code", error_code::internal_error}, {"message", failure.text}, {"data", Json(std::move(data))}});
}

}  // namespace toolwire::remote
