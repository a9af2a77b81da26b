#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <toolwire/output_budget.hpp>

#include "registry/checked_result.hpp"

namespace toolwire::bridge {
namespace {

std::size_t line_count(std::string_view text) {
  const auto ends = static_cast<std::size_t>(std::ranges::count(text, '\n'));
  return ends + (text.empty() || text.ends_with('\n') ? 0 : 1);
}

std::string cut_to(std::string text, std::size_t lines, std::size_t bytes, Keep keep) {
  const bool head = keep == Keep::head;
  const auto cut = cut_for(text, {.lines = lines, .bytes = bytes, .keep = head ? KeptPart::head : KeptPart::ends});
  if (!cut) return text;
  return shown(text, *cut, {}, head ? "Narrow the query to see the rest." : "Ask for less, or for a part, to see it.");
}

/// The least a value takes as text, without writing it.
std::size_t size_of(const Json& value) {
  if (value.is_string()) return value.get_string().size() + 2;
  std::size_t size = 2;
  if (const JsonArray* array = value.if_array()) {
    for (const Json& element : *array) size += size_of(element) + 1;
  } else if (const JsonObject* object = value.if_object()) {
    for (const auto& member : *object) size += member.key().size() + 4 + size_of(member.value());
  }
  return size;
}

void cut_texts(ToolResult& result, std::size_t lines, std::size_t bytes, Keep keep) {
  for (Content& block : result.content) {
    auto* text = std::get_if<TextContent>(&block.item);
    if (text == nullptr) continue;
    text->text = cut_to(std::move(text->text), lines, bytes, keep);
    lines -= std::min(lines, line_count(text->text));
    bytes -= std::min(bytes, text->text.size());
  }
}

}  // namespace

ToolResult bounded(ToolResult&& result, const OutputBounds& bounds, Keep keep) {
  if (!result.structured) {
    cut_texts(result, bounds.lines, bounds.bytes, keep);
    return std::move(result);
  }
  const std::size_t size = size_of(*result.structured);
  if (size > bounds.structured) {
    return failure("too_large",
                   "The result has more than " + std::to_string(size) + " bytes of structured content, and " +
                       std::to_string(bounds.structured) + " are the most that is sent; ask for less",
                   false);
  }
  // The text that repeats the structure stays whole; six bytes are the longest escape.
  cut_texts(result, std::string_view::npos, std::max(bounds.bytes, 6 * bounds.structured), keep);
  return std::move(result);
}

}  // namespace toolwire::bridge
