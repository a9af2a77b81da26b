#include "protocol/tasks/task_text.hpp"

#include <array>
#include <cstdio>

#include "json/writer.hpp"
#include "toolwire/error.hpp"

namespace toolwire::protocol {
namespace {

/// 2025-11-25 counts a result with isError as failed, the extension as completed.
std::string_view status_of(const TaskRecord& task, const Revision& revision) {
  return name_of(task.state.tool_error && !revision.modern ? TaskStatus::failed : task.state.status);
}

std::string_view payload_member(TaskStatus status) {
  switch (status) {
    case TaskStatus::completed:
      return "result";
    case TaskStatus::failed:
      return "error";
    case TaskStatus::input_required:
      return "inputRequests";
    case TaskStatus::working:
    case TaskStatus::cancelled:
      break;
  }
  return {};
}

}  // namespace

std::string iso_text(TaskTime time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  std::array<char, 64> text{};
  const int size =
      std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", static_cast<int>(date.year()),
                    static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                    static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                    static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
  return std::string(text.data(), static_cast<std::size_t>(size));
}

JsonObject related_meta(const std::string& task_id) {
  return JsonObject{{meta_key::related_task, JsonObject{{"taskId", task_id}}}};
}

std::string interruption_text(const std::string& message) {
  return to_json_text(JsonObject{{"code", error_code::internal_error},
                                 {"message", message},
                                 {"data", JsonObject{{"code", "interrupted"}, {"retryable", false}}}});
}

void append_task(std::string& out, const TaskRecord& task, const Revision& revision,
                 std::chrono::milliseconds poll_interval) {
  out.append("\"taskId\":");
  json::write_string(out, task.id);
  out.append(",\"status\":\"").append(status_of(task, revision)).append("\"");
  if (!task.state.message.empty()) {
    out.append(",\"statusMessage\":");
    json::write_string(out, task.state.message);
  }
  out.append(",\"createdAt\":\"").append(iso_text(task.created));
  out.append("\",\"lastUpdatedAt\":\"").append(iso_text(task.state.updated));
  out.append(revision.modern ? "\",\"ttlMs\":" : "\",\"ttl\":");
  out.append(task.state.ttl ? std::to_string(task.state.ttl->count()) : "null");
  out.append(revision.modern ? ",\"pollIntervalMs\":" : ",\"pollInterval\":");
  out.append(std::to_string(poll_interval.count()));
}

void append_detailed_task(std::string& out, const TaskRecord& task, const Revision& revision,
                          std::chrono::milliseconds poll_interval) {
  append_task(out, task, revision, poll_interval);
  const std::string_view member = payload_member(task.state.status);
  if (member.empty()) return;
  out.append(",\"").append(member).append("\":").append(task.state.payload);
}

}  // namespace toolwire::protocol
