#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <toolwire/result_checks.hpp>

#include "registry/checked_result.hpp"

namespace toolwire::bridge {
namespace {

OutputBudget budget_of(std::size_t lines, std::size_t bytes, Keep keep) {
  if (keep == Keep::head) return {lines, bytes, KeptPart::head, "Narrow the query to see the rest."};
  return {lines, bytes, keep == Keep::tail ? KeptPart::tail : KeptPart::ends,
          "Ask for less, or for a part, to see it."};
}

/// A lower bound of a value's size as text, without writing it.
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

}  // namespace

ToolResult bounded(ToolResult&& result, const OutputBounds& bounds, Keep keep) {
  if (!result.structured) return truncate_each_text(std::move(result), budget_of(bounds.lines, bounds.bytes, keep));
  const std::size_t size = size_of(*result.structured);
  if (size > bounds.structured) {
    return failure("too_large",
                   "The result has more than " + std::to_string(size) + " bytes of structured content, and " +
                       std::to_string(bounds.structured) + " are the most that is sent; ask for less",
                   false);
  }
  // A text that repeats the structured content stays whole; six bytes are the longest escape.
  const std::size_t bytes = std::max(bounds.bytes, 6 * bounds.structured);
  return truncate_each_text(std::move(result), budget_of(std::string_view::npos, bytes, keep));
}

}  // namespace toolwire::bridge
