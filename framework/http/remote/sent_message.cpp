#include "remote/sent_message.hpp"

#include <algorithm>
#include <array>

#include <toolwire/http/named_parameter.hpp>
#include <toolwire/json_members.hpp>

namespace toolwire::remote {
namespace {

constexpr std::array<std::string_view, 9> reading_methods{
    "initialize",     "server/discover",          "ping",           "tools/list",          "prompts/list",
    "resources/list", "resources/templates/list", "resources/read", "subscriptions/listen"};

}  // namespace

bool SentMessage::only_reads() const {
  return std::ranges::find(reading_methods, std::string_view(method)) != reading_methods.end();
}

SentMessage sent_message(std::string_view line) {
  const Json json = parse_json(line, {.max_depth = greatest_json_depth});
  SentMessage message{.text = std::string(line), .method = text_or(json, "method")};
  const Json& id = member_or_null(json, "id");
  const Json& params = member_or_null(json, "params");
  if (message.method.empty()) {
    message.kind = SentMessage::Kind::response;
  } else if (!id.is_null()) {
    message.kind = SentMessage::Kind::request;
    message.id = id;
  }
  const std::string_view named = http::named_parameter(message.method);
  if (!named.empty()) message.name = text_or(params, named);
  if (message.method == "tools/call") message.arguments = member_or_null(params, "arguments");
  if (message.method == "subscriptions/listen") message.listened_to = member_or_null(params, "notifications");
  if (message.method == "notifications/cancelled") message.cancels = member_or_null(params, "requestId");
  message.revision = text_or(member_or_null(params, "_meta"), "io.modelcontextprotocol/protocolVersion");
  return message;
}

}  // namespace toolwire::remote
