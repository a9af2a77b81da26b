#include "protocol/host_faults.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <toolwire/json_members.hpp>

#include "types/block_text.hpp"

namespace toolwire::protocol {
namespace {

struct KnownHost {
  std::string_view name;    // clientInfo.name
  HostFaults faults;        // of every version that was looked at
  std::string_view source;  // where it can be read, and in which version it was
};

constexpr std::array<KnownHost, 4> known_hosts{{
    {"continue-cli-client", {.needs_text = true}, "@continuedev/cli 1.5.47 (npm), as what it sends its model shows"},
    {"copilot-cli",
     {.drops_other_content = true, .joins_texts = true},
     "@github/copilot 1.0.102 (npm), as what it sends its model shows"},
    {"gemini-cli-mcp-client",
     {.takes_text_for_structured = true, .needs_text = true},
     "@google/gemini-cli 0.61.0 (npm), fixStructuredContent: wraps every transport, not only that of one server"},
    {"opencode", {.drops_other_content = true}, "opencode-ai 1.18.33 (npm), as what it sends its model shows"},
}};

/// Of an item that `text_in` has found a text in.
std::string& own_text(Content& content) {
  if (std::holds_alternative<Json>(content.item)) content.item = TextContent{std::string(*text_in(content))};
  return std::get<TextContent>(content.item).text;
}

bool is_json_without_members(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  constexpr std::string_view first_characters = "-0123456789\"[tfn";
  if (begin == std::string_view::npos || first_characters.find(text[begin]) == std::string_view::npos) return false;
  try {
    return !parse_json(text, {.max_values = usual_json_values}).is_object();
  } catch (const JsonError&) {
    return false;
  }
}

bool would_refuse(const HostFaults& faults, const ToolResult& result, bool has_structured) {
  if (!faults.takes_text_for_structured || has_structured) return false;
  const auto text = result.content.empty() ? std::nullopt : text_in(result.content.front());
  return text && is_json_without_members(*text);
}

std::string bytes_text(const std::string& uri, const std::string& mime_type, std::size_t size) {
  return "[" + uri + (mime_type.empty() ? "" : ", " + mime_type) + ", " + std::to_string(size) +
         " bytes: this host shows its model none]";
}

std::string sound_text(const std::string& mime_type) {
  return "[audio, " + mime_type + ": this host shows its model none]";
}

/// What stands for an item that a host drops; null for one that it shows.
struct TextInstead {
  using Text = std::optional<std::string>;

  Text operator()(const TextContent&) const { return std::nullopt; }
  Text operator()(const ImageContent&) const { return std::nullopt; }
  Text operator()(const AudioContent& audio) const { return sound_text(audio.mime_type); }
  Text operator()(const ResourceLink& link) const { return link.name + ": " + link.uri; }
  Text operator()(const EmbeddedResource& resource) const {
    if (!resource.binary) return std::nullopt;
    return bytes_text(resource.uri, resource.mime_type, resource.contents.size());
  }
  Text operator()(const Json& verbatim) const {
    const JsonObject* const block = verbatim.if_object();
    if (block == nullptr) return std::nullopt;
    const std::string type = text_or(*block, "type");
    if (type == "audio") return sound_text(text_or(*block, "mimeType"));
    if (type == "resource_link") return text_or(*block, "name") + ": " + text_or(*block, "uri");
    const Json* const held = type == "resource" ? block->if_contains("resource") : nullptr;
    const JsonObject* const resource = held != nullptr ? held->if_object() : nullptr;
    if (resource == nullptr || !resource->contains("blob")) return std::nullopt;
    return bytes_text(text_or(*resource, "uri"), text_or(*resource, "mimeType"),
                      text_or(*resource, "blob").size() / 4 * 3);
  }
};

bool would_drop(const Content& content) { return std::visit(TextInstead{}, content.item).has_value(); }

ToolResult with_structured(ToolResult result) {
  std::string& text = own_text(result.content.front());
  if (result.is_error) {
    text.insert(0, "Error: ");  // structured content would have to fit the schema of the tool's results
  } else {
    Json said = result.structured ? std::move(*result.structured) : Json(text);
    result.structured = JsonObject{{"result", std::move(said)}};
  }
  return result;
}

}  // namespace

HostFaults faults_of(const JsonObject& client_info) {
  const Json* const name = client_info.if_contains("name");
  if (name == nullptr || !name->is_string()) return {};
  const auto* const known = std::ranges::find(known_hosts, std::string_view(name->get_string()), &KnownHost::name);
  return known == known_hosts.end() ? HostFaults{} : known->faults;
}

bool would_spoil(const HostFaults& faults, const ToolResult& result, bool has_structured) {
  return would_refuse(faults, result, has_structured) ||
         (faults.drops_other_content && std::ranges::any_of(result.content, would_drop)) ||
         (faults.joins_texts && result.content.size() > 1) ||
         (faults.needs_text && result.content.empty() && result.structured);
}

ToolResult acceptable(const HostFaults& faults, ToolResult result, bool has_structured) {
  if (would_refuse(faults, result, has_structured)) result = with_structured(std::move(result));
  if (faults.drops_other_content) {
    for (Content& content : result.content) {
      if (auto text = std::visit(TextInstead{}, content.item)) content.item = TextContent{std::move(*text)};
    }
  }
  if (faults.needs_text && result.content.empty() && result.structured)
    result.add_text(to_json_text(*result.structured));
  if (faults.joins_texts) {
    for (std::size_t i = 0; i + 1 < result.content.size(); ++i) {
      const auto text = text_in(result.content[i]);
      if (text && !text->ends_with('\n')) own_text(result.content[i]).push_back('\n');
    }
  }
  return result;
}

}  // namespace toolwire::protocol
