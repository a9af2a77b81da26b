// Tasks as the wire has them, in the words of each of the two revisions that know them. Takes values, returns text.
#pragma once

#include <chrono>
#include <string>

#include "protocol/revision.hpp"
#include "toolwire/task_store.hpp"

namespace toolwire::protocol {

namespace meta_key {
inline constexpr std::string_view related_task = "io.modelcontextprotocol/related-task";
}  // namespace meta_key

/// "2026-07-28T12:00:00.000Z" (ISO 8601).
std::string iso_text(TaskTime time);

/// The `_meta` of messages that belong to a task (2025-11-25 basic/utilities/tasks, related task metadata).
JsonObject related_meta(const std::string& task_id);

/// The error object of a task whose process or connection has ended before it, as JSON text.
std::string interruption_text(const std::string& message);

/// Appends the members of a Task, without braces.
void append_task(std::string& out, const TaskRecord& task, const Revision& revision,
                 std::chrono::milliseconds poll_interval);

/// The same with what goes with its status: result, error or inputRequests (extension tasks, DetailedTask).
void append_detailed_task(std::string& out, const TaskRecord& task, const Revision& revision,
                          std::chrono::milliseconds poll_interval);

}  // namespace toolwire::protocol
