// Reading the JSON of a model's API: members with their JSON pointers, and errors that say what was expected there.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <toolwire/bridge/messages.hpp>

namespace toolwire::bridge::formats {

/// A JSON value and where it stands. Must not outlive the document.
class At {
 public:
  explicit At(const Json& json, std::string where = {}) : json_(&json), where_(std::move(where)) {}

  const Json& json() const { return *json_; }
  const std::string& where() const { return where_; }
  /// Throws std::invalid_argument: "/where: expected …".
  [[noreturn]] void wrong(std::string_view expected) const;

  bool has(std::string_view member) const;  // and it is not null
  /// Throws if there is no such member, or this is no object.
  At operator[](std::string_view member) const;
  const JsonObject& object() const;
  std::string text() const;
  /// Calls `each` with every element. Throws if this is no array.
  void each(const std::function<void(const At&)>& each) const;

  /// The text of a member; `otherwise` if it is missing, null or something else.
  std::string text_or(std::string_view member, std::string otherwise = {}) const;
  std::int64_t count_or_zero(std::string_view member) const;

 private:
  const Json* json_;
  std::string where_;
};

/// The members of an object but for those named; for `ToolCallBlock::extra`.
JsonObject others(const JsonObject& object, std::initializer_list<std::string_view> known);
/// A call whose arguments an API carries as text.
void read_arguments(ToolCallBlock& call, const std::string& text);
/// The same the other way round: what the model wrote.
std::string arguments_text(const ToolCallBlock& call);
/// What an API must get back with the block.
JsonObject extra_of(const ToolCallBlock& call, std::string_view format);
/// `stop` becomes `tool_use` where an API says "stop" although there are calls.
void settle_stop_reason(AssistantMessage& message);
/// All texts of a user's message.
std::string text_of(const UserMessage& message);

}  // namespace toolwire::bridge::formats
