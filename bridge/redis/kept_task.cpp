#include "kept_task.hpp"

#include <chrono>
#include <stdexcept>
#include <utility>

#include <toolwire/json.hpp>

namespace toolwire::redis {
namespace {

using std::chrono::milliseconds;

Json number_of(TaskTime time) { return time.time_since_epoch().count(); }
TaskTime time_in(const Json& number) { return TaskTime(milliseconds(number.to_number<std::int64_t>())); }
std::string text_in(const JsonObject& object, const char* name) { return std::string(object.at(name).as_string()); }

JsonObject object_of(const TaskOwner& owner) {
  return {{"process", owner.process}, {"start", owner.start}, {"boot", owner.boot}, {"space", owner.space}};
}

TaskOwner owner_in(const JsonObject& object) {
  return {.process = object.at("process").to_number<std::int64_t>(),
          .start = object.at("start").to_number<std::uint64_t>(),
          .boot = text_in(object, "boot"),
          .space = text_in(object, "space")};
}

JsonObject object_of(const TaskState& state) {
  JsonObject object{{"status", name_of(state.status)},
                    {"message", state.message},
                    {"payload", state.payload},
                    {"tool_error", state.tool_error},
                    {"updated", number_of(state.updated)}};
  if (state.ttl) object["ttl"] = state.ttl->count();
  return object;
}

TaskState state_in(const JsonObject& object) {
  const auto status = task_status_named(text_in(object, "status"));
  if (!status) throw std::runtime_error("unknown status");
  TaskState state{.status = *status,
                  .message = text_in(object, "message"),
                  .payload = text_in(object, "payload"),
                  .tool_error = object.at("tool_error").as_bool(),
                  .updated = time_in(object.at("updated"))};
  if (const Json* const ttl = object.if_contains("ttl")) state.ttl = milliseconds(ttl->to_number<std::int64_t>());
  return state;
}

KeptTask kept_task_of(const JsonObject& object) {
  return {.task = {.id = text_in(object, "id"),
                   .tool = text_in(object, "tool"),
                   .owner = owner_in(object.at("owner").as_object()),
                   .created = time_in(object.at("created")),
                   .state = state_in(object.at("state").as_object())},
          .lease = text_in(object, "lease")};
}

}  // namespace

std::string text_of(const KeptTask& kept) {
  const TaskRecord& task = kept.task;
  return to_json_text(JsonObject{{"id", task.id},
                                 {"tool", task.tool},
                                 {"owner", object_of(task.owner)},
                                 {"created", number_of(task.created)},
                                 {"state", object_of(task.state)},
                                 {"lease", kept.lease}});
}

/// Whoever sealed it had the key: what cannot be read is of another version of this program.
KeptTask kept_task_in(const std::string& text) try {
  return kept_task_of(parse_json(text).as_object());
} catch (const std::exception& error) {
  throw std::runtime_error(std::string("a task kept in Redis is of another version: ") + error.what());
}

}  // namespace toolwire::redis
