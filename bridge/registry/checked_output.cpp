#include <optional>
#include <string_view>
#include <utility>

#include <toolwire/result_checks.hpp>

#include "registry/checked_result.hpp"

namespace toolwire::bridge {
namespace {

std::optional<std::string_view> only_text(const ToolResult& result) {
  return result.content.size() == 1 ? text_in(result.content.front()) : std::nullopt;
}

/// The output of a result that has text only, if the text, or the JSON in it, fits the schema.
std::optional<Json> output_in_text(const Schema& schema, const ToolResult& result) {
  const auto text = only_text(result);
  if (!text) return std::nullopt;
  if (Json as_it_is(*text); schema.is_valid(as_it_is)) return as_it_is;
  try {
    if (Json parsed = parse_json(*text, {.max_values = usual_json_values}); schema.is_valid(parsed)) return parsed;
  } catch (const JsonError&) {
    return std::nullopt;
  }
  return std::nullopt;
}

/// Without an output schema, a JSON string becomes plain text.
void unquote(ToolResult& result) {
  if (!result.structured || !result.structured->is_string()) return;
  result.content.clear();
  result.add_text(std::string(result.structured->get_string()));
  result.structured.reset();
}

}  // namespace

ToolResult checked_output(const RegisteredTool& tool, ToolResult&& result) {
  if (result.is_error) return std::move(result);
  if (tool.definition.output.is_null()) unquote(result);
  if (!tool.output) return std::move(result);
  if (!result.structured) {
    result.structured = output_in_text(*tool.output, result);
    if (result.structured) return std::move(result);
    return held_back(tool.definition.name, "expected structured content");
  }
  check_output(*tool.output, tool.definition.name, result);
  return std::move(result);
}

}  // namespace toolwire::bridge
