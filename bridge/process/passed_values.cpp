#include "process/passed_values.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <toolwire/bridge/activity.hpp>

#include "manifest/findings.hpp"
#include "process/shown_text.hpp"

namespace toolwire::bridge {
namespace {

/// Members that say something about one connection only: revision, software, subscription, the token of progress.
bool is_of_connection(std::string_view key) {
  return key.starts_with("io.modelcontextprotocol/") || key == "progressToken";
}

/// What each kind of block must have as texts (MCP 2025-11-25, ContentBlock).
struct BlockKind {
  std::string_view type;
  std::array<std::string_view, 2> texts;
};
constexpr std::array block_kinds{BlockKind{"text", {"text", ""}}, BlockKind{"image", {"data", "mimeType"}},
                                 BlockKind{"audio", {"data", "mimeType"}}, BlockKind{"resource_link", {"uri", "name"}}};

const JsonString* text_in(const JsonObject& object, std::string_view name) {
  const Json* const member = object.if_contains(name);
  return member != nullptr ? member->if_string() : nullptr;
}

bool has_text(const JsonObject& object, std::string_view name) { return text_in(object, name) != nullptr; }

std::string missing_in_resource(const JsonObject& block) {
  const Json* const member = block.if_contains("resource");
  const JsonObject* const resource = member == nullptr ? nullptr : member->if_object();
  if (resource == nullptr) return "expected \"resource\", an object";
  if (!has_text(*resource, "uri")) return "expected \"uri\" in \"resource\", a text";
  return has_text(*resource, "text") || has_text(*resource, "blob") ? ""
                                                                    : "expected \"text\" or \"blob\" in \"resource\"";
}

/// What is wrong with a block; empty if nothing is.
std::string mistake_in(const Json& block) {
  const JsonObject* const members = block.if_object();
  if (members == nullptr) return "expected an object";
  const JsonString* const type_text = text_in(*members, "type");
  if (type_text == nullptr) return "expected \"type\", a text";
  const std::string_view type = *type_text;
  if (type == "resource") return missing_in_resource(*members);
  const auto kind = std::ranges::find(block_kinds, type, &BlockKind::type);
  if (kind == block_kinds.end())
    return "expected the type text, image, audio, resource_link or resource, found " + in_quotes(type);
  for (const std::string_view name : kind->texts)
    if (!name.empty() && !has_text(*members, name)) return "expected \"" + std::string(name) + "\", a text";
  return {};
}

std::string mistake_in_content(const Json& content) {
  const JsonArray* const blocks = content.if_array();
  if (blocks == nullptr) return "content: expected an array";
  for (std::size_t i = 0; i < blocks->size(); ++i) {
    if (const std::string mistake = mistake_in((*blocks)[i]); !mistake.empty())
      return "content[" + std::to_string(i) + "]: " + mistake;
  }
  return {};
}

/// The structured content is often said once more as a text, which is data then.
bool says(std::string_view text, const Json* value) {
  if (value == nullptr) return false;
  try {
    return parse_json(text, {.max_values = usual_json_values}) == *value;
  } catch (const JsonError&) {
    return false;
  }
}

void show_text_of(Json& block, const Json* structured) {
  JsonObject& members = block.get_object();
  if (members.at("type").get_string() != "text") return;
  JsonString& text = members.at("text").get_string();
  if (is_shown_as_it_is(text)) return;
  const std::string visible = shown(std::string(text));
  if (std::string_view(visible) != text && !says(text, structured)) text = visible;
}

/// The work may have been done all the same.
ToolResult sent_what_is_no_result(const Sender& sender, const std::string& mistake) {
  std::string subject(sender.what);
  if (!sender.name.empty()) subject.append(" \"").append(sender.name).append("\"");
  return unknown_outcome("back_end_error", subject + " sent a result that is " + mistake + '.');
}

/// What a result has; null: it has not.
struct Parts {
  Json* content = nullptr;
  Json* structured = nullptr;
  const Json* is_error = nullptr;
  const Json* meta = nullptr;
};

Parts parts_of(JsonObject& result) {
  Parts parts;
  for (auto& member : result) {
    const std::string_view name = member.key();
    if (name == "content") {
      parts.content = &member.value();
    } else if (name == "structuredContent") {
      parts.structured = &member.value();
    } else if (name == "isError") {
      parts.is_error = &member.value();
    } else if (name == "_meta") {
      parts.meta = &member.value();
    }
  }
  return parts;
}

}  // namespace

ToolResult tool_result_from(Json&& raw, const Sender& sender) {
  ToolResult result;
  JsonObject* members = raw.if_object();
  if (members == nullptr) return sent_what_is_no_result(sender, "no object");
  const Parts parts = parts_of(*members);
  const bool says_whether = parts.is_error != nullptr && !parts.is_error->is_null();
  if (says_whether && !parts.is_error->is_bool())
    return sent_what_is_no_result(sender, "malformed: isError: expected true or false");
  if (parts.content != nullptr) {
    const std::string mistake = mistake_in_content(*parts.content);
    if (!mistake.empty()) return sent_what_is_no_result(sender, "malformed: " + mistake);
    result.content.reserve(parts.content->get_array().size());
    for (Json& block : parts.content->get_array()) {
      show_text_of(block, parts.structured);
      result.content.push_back({.item = Json(std::move(block))});
    }
  }
  // Constructed in place by a move: it keeps the memory of its message instead of being copied out of it.
  if (parts.structured != nullptr) result.structured.emplace(std::move(*parts.structured));
  if (says_whether) result.is_error = parts.is_error->get_bool();
  if (parts.meta != nullptr && parts.meta->is_object()) {
    for (const auto& [key, value] : parts.meta->get_object()) {
      if (!is_of_connection(key)) result.meta[key] = value;
    }
  }
  return result;
}

JsonObject passable_meta(const JsonObject& meta) {
  JsonObject passed;
  for (const auto& [key, value] : meta) {
    if (!is_of_connection(key)) passed[key] = value;
  }
  return passed;
}

}  // namespace toolwire::bridge
