#include "toolwire/result_checks.hpp"

#include <algorithm>
#include <utility>

#include "toolwire/error.hpp"
#include "toolwire/system/log_line.hpp"
#include "types/block_text.hpp"
#include "types/in_seconds.hpp"
#include "types/lines.hpp"

namespace toolwire {
namespace {

std::string quoted(std::string_view tool) { return "\"" + std::string(tool) + "\""; }

/// What the model reads when a tool fails with an exception that is not meant for the model.
ToolResult unexpected(std::string_view tool, std::string_view what) {
  log_line(LogLevel::error, "tool " + quoted(tool) + " failed: " + std::string(what));
  return failure("execution", "The tool " + quoted(tool) + " failed unexpectedly; the log of its server says more.",
                 false);
}

}  // namespace

ToolResult result_of_exception(const std::exception_ptr& thrown, std::string_view tool) {
  try {
    std::rethrow_exception(thrown);
  } catch (const InvalidArguments& error) {
    return failure("invalid_arguments", error.what(), true);
  } catch (const ToolError& error) {
    return ToolResult::error(error.what());
  } catch (const std::exception& error) {
    return unexpected(tool, error.what());
  } catch (...) {
    return unexpected(tool, "an exception that is not derived from std::exception");
  }
}

std::string timed_out_text(std::string_view tool, std::chrono::milliseconds limit) {
  return quoted(tool) + " timed out after " + types::in_seconds(limit);
}

std::string violations_of(const Schema& schema, const Json& value) {
  std::string text;
  for (const SchemaViolation& violation : schema.validate(value))
    text.append(text.empty() ? "" : "\n").append(violation.text());
  return text;
}

ToolResult held_back(std::string_view tool, std::string_view why) {
  log_line(LogLevel::error, "tool " + quoted(tool) + " broke its output schema: " + std::string(why));
  return failure(
      "invalid_output",
      "The result of " + quoted(tool) + " does not fit its output schema and was held back:\n" + std::string(why),
      false);
}

void check_output(const Schema& schema, std::string_view tool, ToolResult& result) {
  if (result.is_error) return;
  if (!result.structured) {
    result = held_back(tool, "no structured content");
  } else if (!schema.is_valid(*result.structured)) {
    result = held_back(tool, violations_of(schema, *result.structured));
  }
}

ToolResult truncate_each_text(ToolResult&& result, const OutputBudget& budget) {
  OutputBudget left{budget.lines, budget.bytes, budget.keep};
  for (Content& block : result.content) {
    auto text = text_in(block);
    if (!text) continue;
    if (const auto cut = cut_for(*text, left)) {
      types::set_text(block, shown(*text, *cut, {}, budget.advice));
      text = text_in(block);
    }
    if (&block == &result.content.back()) break;  // what it leaves is of no use
    left.lines -= std::min(left.lines, types::lines_in(*text));
    left.bytes -= std::min(left.bytes, text->size());
  }
  return std::move(result);
}

}  // namespace toolwire
