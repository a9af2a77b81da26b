// The results of resources and prompts of a back-end; see results.hpp.
#include <sodium.h>

#include <optional>
#include <utility>

#include <toolwire/json_members.hpp>

#include "activities/mcp/results.hpp"

namespace toolwire::bridge::mcp {
namespace {

JsonObject meta_in(const Json& object) {
  const JsonObject* const meta = object_member(object, "_meta");
  return meta != nullptr ? passable_meta(*meta) : JsonObject{};
}

std::optional<std::string> bytes_from(const std::string& base64) {
  std::string bytes(base64.size() / 4 * 3 + 3, '\0');
  std::size_t size = 0;
  const int result = sodium_base642bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), base64.data(),
                                       base64.size(), "\r\n", &size, nullptr, sodium_base64_VARIANT_ORIGINAL);
  if (result != 0) return std::nullopt;
  bytes.resize(size);
  return bytes;
}

ProtocolError unusable(const std::string& why) {
  return ProtocolError(error_code::internal_error, "The back-end sent a result that cannot be used: " + why);
}

}  // namespace

ResourceOutcome resource_outcome_from(const Json& raw, const std::string& uri, const std::string& prefix) {
  const Json* pieces = find_member(raw, "contents");
  if (pieces == nullptr || !pieces->is_array()) return unusable("contents: expected an array");
  ResourceResult result{{}, meta_in(raw)};
  for (const Json& piece : pieces->get_array()) {
    ResourceContents contents{.mime_type = text_or(piece, "mimeType"), .meta = meta_in(piece)};
    const std::string its_uri = text_or(piece, "uri");
    if (its_uri != uri && !its_uri.empty()) contents.uri = prefix + its_uri;
    contents.binary = find_member(piece, "blob") != nullptr;
    auto bytes = contents.binary ? bytes_from(text_or(piece, "blob")) : text_or(piece, "text");
    if (!bytes) return unusable("contents: expected base64 in \"blob\"");
    contents.contents = std::move(*bytes);
    result.contents.push_back(std::move(contents));
  }
  return result;
}

PromptOutcome prompt_outcome_from(const Json& raw) {
  const Json* messages = find_member(raw, "messages");
  if (messages == nullptr || !messages->is_array()) return unusable("messages: expected an array");
  PromptResult result{text_or(raw, "description"), {}, meta_in(raw)};
  for (const Json& message : messages->get_array()) {
    const std::string role = text_or(message, "role");
    const Json* content = find_member(message, "content");
    if ((role != "user" && role != "assistant") || content == nullptr)
      return unusable("messages: expected a role, \"user\" or \"assistant\", and content");
    result.messages.push_back({role == "user" ? Role::user : Role::assistant, {.item = Json(*content)}});
  }
  return result;
}

/// Codes a server may define for itself (-32000 to -32099) mean nothing to another server's client.
ProtocolError protocol_error_from(const Trouble& trouble) {
  if (trouble.required_capabilities)
    return ProtocolError(error_code::missing_client_capability, trouble.text,
                         JsonObject{{"requiredCapabilities", *trouble.required_capabilities}});
  JsonObject data{{"code", trouble.code}, {"retryable", trouble.retryable}};
  if (trouble.retry_after_ms) data["retryAfterMs"] = *trouble.retry_after_ms;
  constexpr int resource_not_found = -32002;  // before 2026-07-28
  int code = trouble.refused_with == 0 ? error_code::internal_error : trouble.refused_with;
  if (code == resource_not_found) code = error_code::invalid_params;
  if (code <= -32000 && code >= -32099) code = error_code::internal_error;
  return ProtocolError(code, trouble.text, std::move(data));
}

}  // namespace toolwire::bridge::mcp
