#include "policy/operation_status.hpp"

#include <algorithm>
#include <utility>

namespace toolwire::bridge {
namespace {

bool contains(const std::vector<std::string>& values, const std::string& status) {
  return std::ranges::find(values, status) != values.end();
}

std::string text_at(const Json& answer, const std::string& path) {
  if (path.empty()) return {};
  const Json* const value = value_at(answer, path);
  if (value == nullptr || value->is_null()) return {};
  return value->is_string() ? std::string(value->get_string()) : to_json_text(*value);
}

std::optional<double> number_at(const Json& answer, const std::string& path) {
  const Json* const value = path.empty() ? nullptr : value_at(answer, path);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  return value->to_number<double>();
}

ToolResult success(const Json& answer, const AsyncBehavior& behavior) {
  const Json* const found = behavior.result_field.empty() ? nullptr : value_at(answer, behavior.result_field);
  const Json& result = found == nullptr || found->is_null() ? answer : *found;
  if (result.is_string()) return ToolResult::text(std::string(result.get_string()));
  return result.is_object() ? ToolResult::of(result) : ToolResult::of(JsonObject{{"result", result}});
}

ToolResult failed(const Json& answer, const AsyncBehavior& behavior, const std::string& status) {
  std::string text = "The operation ended as \"" + status + "\"";
  for (const std::string& path : {behavior.error_field, behavior.error_details_field}) {
    if (const std::string detail = text_at(answer, path); !detail.empty()) text += ": " + detail;
  }
  return failure("back_end_error", std::move(text), false);
}

OperationProgress progress_in(const Json& answer, const AsyncBehavior& behavior, const std::string& status, int looks) {
  OperationProgress progress{.done = static_cast<double>(looks)};
  if (const auto percent = number_at(answer, behavior.progress_field)) {
    progress.done = *percent;
    progress.total = 100;
  } else if (const auto step = number_at(answer, behavior.current_step_field)) {
    progress.done = *step;
    progress.total = number_at(answer, behavior.total_steps_field);
  }
  const std::string phase = text_at(answer, behavior.phase_field);
  const std::string message = text_at(answer, behavior.message_field);
  progress.message = phase.empty() || message.empty() ? phase + message : phase + ": " + message;
  if (progress.message.empty()) progress.message = status;
  return progress;
}

}  // namespace

Json json_of(const ToolResult& result) {
  if (result.structured) return *result.structured;
  for (const Content& content : result.content) {
    const auto text = text_in(content);
    if (!text) continue;
    try {
      return parse_json(*text, {.max_values = usual_json_values});
    } catch (const JsonError&) {
      return nullptr;
    }
  }
  return nullptr;
}

OperationStatus status_in(const Json& answer, const AsyncBehavior& behavior, int looks) {
  OperationStatus now;
  const std::string status = status_text(value_at(answer, behavior.status_field));
  if (contains(behavior.success_values, status)) {
    now.result = success(answer, behavior);
  } else if (contains(behavior.failure_values, status)) {
    now.result = failed(answer, behavior, status);
  } else if (!behavior.pending_values.empty() && !contains(behavior.pending_values, status)) {
    now.result =
        failure("back_end_error",
                "The status tool \"" + behavior.status_tool + "\" answered with a status its manifest does not name: " +
                    (status.empty() ? "none at \"" + behavior.status_field + "\"" : "\"" + status + "\""),
                false);
  } else {
    now.progress = progress_in(answer, behavior, status, looks);
  }
  return now;
}

}  // namespace toolwire::bridge
