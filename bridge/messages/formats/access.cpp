#include "messages/formats/access.hpp"

#include <algorithm>
#include <stdexcept>

namespace toolwire::bridge::formats {

void At::wrong(std::string_view expected) const {
  throw std::invalid_argument((where_.empty() ? "the whole" : where_) + ": expected " + std::string(expected));
}

bool At::has(std::string_view member) const {
  const JsonObject* object = json_->if_object();
  const Json* value = object == nullptr ? nullptr : object->if_contains(member);
  return value != nullptr && !value->is_null();
}

At At::operator[](std::string_view member) const {
  const Json* value = object().if_contains(member);
  if (value == nullptr) wrong("the member \"" + std::string(member) + "\"");
  return At(*value, where_ + "/" + std::string(member));
}

const JsonObject& At::object() const {
  if (!json_->is_object()) wrong("an object");
  return json_->get_object();
}

std::string At::text() const {
  if (!json_->is_string()) wrong("a string");
  return std::string(json_->get_string());
}

void At::each(const std::function<void(const At&)>& each) const {
  if (!json_->is_array()) wrong("an array");
  std::size_t index = 0;
  for (const Json& element : json_->get_array()) each(At(element, where_ + "/" + std::to_string(index++)));
}

std::string At::text_or(std::string_view member, std::string otherwise) const {
  if (!has(member)) return otherwise;
  const At value = (*this)[member];
  return value.json().is_string() ? value.text() : otherwise;
}

std::int64_t At::count_or_zero(std::string_view member) const {
  if (!has(member)) return 0;
  const Json& value = (*this)[member].json();
  return value.is_int64() ? value.get_int64() : 0;
}

JsonObject others(const JsonObject& object, std::initializer_list<std::string_view> known) {
  JsonObject rest;
  for (const auto& [name, value] : object) {
    if (std::ranges::find(known, std::string_view(name)) == known.end()) rest[name] = value;
  }
  return rest;
}

void read_arguments(ToolCallBlock& call, const std::string& text) {
  try {
    call.input = text.empty() ? Json(JsonObject{}) : parse_json(text, {.max_values = usual_json_values});
  } catch (const JsonError&) {
    call.unreadable = text;
  }
}

std::string arguments_text(const ToolCallBlock& call) {
  return call.unreadable.empty() ? to_json_text(call.input) : call.unreadable;
}

JsonObject extra_of(const ToolCallBlock& call, std::string_view format) {
  const Json* extra = call.extra.if_contains(format);
  return extra != nullptr && extra->is_object() ? extra->get_object() : JsonObject{};
}

void settle_stop_reason(AssistantMessage& message) {
  if (message.stop_reason == StopReason::stop && !tool_calls_in(message).empty())
    message.stop_reason = StopReason::tool_use;
}

std::string text_of(const UserMessage& message) { return ToolResultMessage{.content = message.content}.text(); }

}  // namespace toolwire::bridge::formats
