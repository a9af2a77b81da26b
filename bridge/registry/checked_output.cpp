#include <string>
#include <utility>

#include <toolwire/log_line.hpp>

#include "registry/checked_result.hpp"

namespace toolwire::bridge {
namespace {

std::string violations(const Schema& schema, const Json& value) {
  std::string text;
  for (const SchemaViolation& violation : schema.validate(value))
    text.append(text.empty() ? "" : "\n").append(violation.text());
  return text;
}

const std::string* only_text(const ToolResult& result) {
  if (result.content.size() != 1) return nullptr;
  const auto* text = std::get_if<TextContent>(&result.content.front().item);
  return text == nullptr ? nullptr : &text->text;
}

/// The output in a result that is text only, if it can be read as one.
std::optional<Json> output_in_text(const Schema& schema, const ToolResult& result) {
  const std::string* text = only_text(result);
  if (text == nullptr) return std::nullopt;
  if (Json as_it_is(*text); schema.is_valid(as_it_is)) return as_it_is;
  try {
    if (Json parsed = parse_json(*text); schema.is_valid(parsed)) return parsed;
  } catch (const JsonError&) {
    return std::nullopt;
  }
  return std::nullopt;
}

ToolResult held_back(const std::string& tool, const std::string& why) {
  log_line("tool \"" + tool + "\" broke the promise of its `_output`: " + why);
  return failure("invalid_output",
                 "The result of \"" + tool + "\" does not fit its output schema and was held back:\n" + why, false);
}

/// A string nobody promised in a structure is text.
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
  if (tool.output->is_valid(*result.structured)) return std::move(result);
  return held_back(tool.definition.name, violations(*tool.output, *result.structured));
}

}  // namespace toolwire::bridge
