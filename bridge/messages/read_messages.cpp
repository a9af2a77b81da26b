#include <array>
#include <functional>
#include <stdexcept>
#include <utility>

#include <toolwire/bridge/messages.hpp>

namespace toolwire::bridge {
namespace {

/// Looks at one JSON value and collects what is wrong with it, so that all problems are told at once.
class Reader {
 public:
  explicit Reader(std::string at) : at_(std::move(at)) {}

  Message message(const Json& json) {
    const JsonObject* object = object_in(json, at_, "a message");
    if (object == nullptr) return UserMessage{};
    const std::string role = text(*object, "role", at_);
    if (role == "user") return UserMessage{texts(*object)};
    if (role == "assistant") return assistant(*object);
    if (role == "toolResult") return tool_result(*object);
    if (object->contains("role")) wrong(at_ + "/role", "\"user\", \"assistant\" or \"toolResult\"");
    return UserMessage{};
  }

  const std::string& problems() const { return problems_; }

 private:
  void wrong(const std::string& where, std::string_view expected) {
    if (!problems_.empty()) problems_ += '\n';
    problems_.append(where.empty() ? "the whole" : where).append(": expected ").append(expected);
  }

  const JsonObject* object_in(const Json& json, const std::string& where, std::string_view what) {
    if (!json.is_object()) wrong(where, "an object, " + std::string(what));
    return json.if_object();
  }

  std::string text(const JsonObject& object, std::string_view name, const std::string& where) {
    const Json* value = object.if_contains(name);
    if (value != nullptr && value->is_string()) return std::string(value->get_string());
    wrong(where + "/" + std::string(name), "a string");
    return {};
  }

  template <class Each>
  void blocks(const JsonObject& object, Each each) {
    const Json* content = object.if_contains("content");
    if (content == nullptr || !content->is_array()) return wrong(at_ + "/content", "an array of blocks");
    std::size_t index = 0;
    for (const Json& block : content->get_array()) {
      const std::string where = at_ + "/content/" + std::to_string(index++);
      if (const JsonObject* one = object_in(block, where, "a block")) each(*one, where);
    }
  }

  std::vector<TextBlock> texts(const JsonObject& object) {
    std::vector<TextBlock> found;
    blocks(object, [&](const JsonObject& block, const std::string& where) {
      if (text(block, "type", where) != "text") return wrong(where + "/type", "\"text\"");
      found.push_back({text(block, "text", where)});
    });
    return found;
  }

  AssistantBlock assistant_block(const JsonObject& block, const std::string& where) {
    const std::string type = text(block, "type", where);
    if (type == "text") return TextBlock{text(block, "text", where)};
    if (type == "other" && block.contains("block"))
      return OtherBlock{text(block, "format", where), *block.if_contains("block")};
    if (type != "toolCall") return OtherBlock{.block = block};
    ToolCallBlock call{.id = text(block, "id", where), .name = text(block, "name", where)};
    if (const Json* input = block.if_contains("input")) call.input = *input;
    if (const Json* extra = block.if_contains("extra"); extra != nullptr && extra->is_object())
      call.extra = extra->get_object();
    return call;
  }

  StopReason stop_reason(const JsonObject& object) {
    const std::string found = text(object, "stopReason", at_);
    for (const StopReason reason :
         {StopReason::stop, StopReason::tool_use, StopReason::length, StopReason::error, StopReason::aborted}) {
      if (found == name_of(reason)) return reason;
    }
    if (!found.empty()) wrong(at_ + "/stopReason", "\"stop\", \"toolUse\", \"length\", \"error\" or \"aborted\"");
    return StopReason::error;
  }

  std::int64_t count(const JsonObject& usage, std::string_view name) {
    const Json* value = usage.if_contains(name);
    if (value == nullptr) return 0;
    if (value->is_int64() && value->get_int64() >= 0) return value->get_int64();
    wrong(at_ + "/usage/" + std::string(name), "a whole number that is not negative");
    return 0;
  }

  Message assistant(const JsonObject& object) {
    AssistantMessage message;
    blocks(object, [&](const JsonObject& block, const std::string& where) {
      message.content.push_back(assistant_block(block, where));
    });
    message.stop_reason = stop_reason(object);
    if (object.contains("model")) message.model = text(object, "model", at_);
    const Json* usage = object.if_contains("usage");
    if (usage == nullptr) return message;
    if (const JsonObject* counts = object_in(*usage, at_ + "/usage", "the number of tokens"))
      message.usage = {count(*counts, "inputTokens"), count(*counts, "outputTokens")};
    return message;
  }

  Message tool_result(const JsonObject& object) {
    ToolResultMessage message{.tool_call_id = text(object, "toolCallId", at_),
                              .tool_name = text(object, "toolName", at_),
                              .content = texts(object)};
    const Json* is_error = object.if_contains("isError");
    if (is_error != nullptr && is_error->is_bool()) {
      message.is_error = is_error->get_bool();
    } else {
      wrong(at_ + "/isError", "true or false");
    }
    if (const Json* details = object.if_contains("details"); details != nullptr && details->is_object())
      message.details = details->get_object();
    return message;
  }

  std::string at_;
  std::string problems_;
};

}  // namespace

Message read_message(const Json& json, std::string_view at) {
  Reader reader{std::string(at)};
  Message message = reader.message(json);
  if (!reader.problems().empty()) throw std::invalid_argument(reader.problems());
  return message;
}

std::vector<Message> read_messages(const Json& json) {
  const JsonObject* object = json.if_object();
  const Json* list = object != nullptr ? object->if_contains("messages") : &json;
  const std::string at = object != nullptr ? "/messages" : "";
  if (list == nullptr || !list->is_array())
    throw std::invalid_argument((at.empty() ? "the whole" : at) + ": expected an array of messages");
  std::vector<Message> messages;
  std::string problems;
  for (const Json& one : list->get_array()) {
    Reader reader(at + "/" + std::to_string(messages.size()));
    messages.emplace_back(reader.message(one));
    if (!reader.problems().empty()) problems += (problems.empty() ? "" : "\n") + reader.problems();
  }
  if (!problems.empty()) throw std::invalid_argument(problems);
  return messages;
}

}  // namespace toolwire::bridge
