#include "protocol/host_faults.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace toolwire::protocol {
namespace {

struct KnownHost {
  std::string_view name;    // clientInfo.name
  HostFaults faults;        // of every version that was looked at
  std::string_view source;  // where it can be read, and in which version it was
};

constexpr std::array<KnownHost, 1> known_hosts{{
    {"gemini-cli-mcp-client",
     {.takes_text_for_structured = true},
     "@google/gemini-cli 0.61.0 (npm), fixStructuredContent: wraps every transport, not only that of one server"},
}};

const std::string* first_text(const ToolResult& result) {
  if (result.content.empty()) return nullptr;
  const auto* const text = std::get_if<TextContent>(&result.content.front().item);
  return text != nullptr ? &text->text : nullptr;
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

}  // namespace

HostFaults faults_of(const JsonObject& client_info) {
  const Json* const name = client_info.if_contains("name");
  if (name == nullptr || !name->is_string()) return {};
  const auto* const known = std::ranges::find(known_hosts, std::string_view(name->get_string()), &KnownHost::name);
  return known == known_hosts.end() ? HostFaults{} : known->faults;
}

bool would_refuse(const HostFaults& faults, const ToolResult& result, bool has_structured) {
  if (!faults.takes_text_for_structured || has_structured) return false;
  const std::string* const text = first_text(result);
  return text != nullptr && is_json_without_members(*text);
}

ToolResult acceptable(ToolResult result) {
  std::string& text = std::get<TextContent>(result.content.front().item).text;
  if (result.is_error) {
    text.insert(0, "Error: ");  // structured content would have to fit the schema of the tool's results
  } else {
    Json said = result.structured ? std::move(*result.structured) : Json(text);
    result.structured = JsonObject{{"result", std::move(said)}};
  }
  return result;
}

}  // namespace toolwire::protocol
