#include "manifest/async_behavior.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "manifest/members.hpp"

namespace toolwire::bridge {
namespace {

/// One object of `async_behavior` and where it stands.
struct Section {
  const JsonObject* object;  // null if it is not stated
  std::string pointer;
  std::vector<std::string>& problems;

  const Json* find(std::string_view name) const {
    if (object == nullptr) return nullptr;
    const Json* value = object->if_contains(name);
    if (value == nullptr) value = object->if_contains(camel_case(name));
    return value != nullptr && value->is_null() ? nullptr : value;
  }
  void wrong(std::string_view name, std::string_view expectation) const {
    problems.push_back(pointer + "/" + std::string(name) + ": expected " + std::string(expectation));
  }
};

Section section(const Section& parent, std::string_view name) {
  const Json* const value = parent.find(name);
  if (value != nullptr && !value->is_object()) parent.wrong(name, "an object");
  return {value == nullptr ? nullptr : value->if_object(), parent.pointer + "/" + std::string(name), parent.problems};
}

void read(const Section& from, std::string_view name, std::string& into) {
  const Json* const value = from.find(name);
  if (value == nullptr) return;
  if (value->is_string()) {
    into = value->get_string();
  } else {
    from.wrong(name, "a string");
  }
}

std::optional<double> positive(const Section& from, std::string_view name, std::string_view expectation) {
  const Json* const value = from.find(name);
  if (value == nullptr) return std::nullopt;
  constexpr double most = 31'536'000;  // a year of seconds: no duration overflows
  if (value->is_number()) {
    const double number = value->to_number<double>();
    if (number == 0) return std::nullopt;  // protocol buffers write zero for unset numbers
    if (number > 0) return std::min(number, most);
  }
  from.wrong(name, expectation);
  return std::nullopt;
}

void read(const Section& from, std::string_view name, std::chrono::milliseconds& into) {
  if (const auto seconds = positive(from, name, "a number of seconds above 0"))
    into = std::chrono::milliseconds(std::llround(*seconds * 1000));
}

void read(const Section& from, std::string_view name, std::vector<std::string>& into) {
  const Json* const value = from.find(name);
  if (value == nullptr) return;
  const JsonArray* const array = value->if_array();
  if (array == nullptr) return from.wrong(name, "an array of values of the status");
  for (const Json& item : *array) into.push_back(status_text(&item));
}

void read_polling(const Section& from, AsyncBehavior& into) {
  read(from, "status_tool", into.status_tool);
  read(from, "operation_id_field", into.operation_id_field);
  into.status_tool_id_param = into.operation_id_field.substr(into.operation_id_field.rfind('.') + 1);
  read(from, "status_tool_id_param", into.status_tool_id_param);
  read(from, "poll_interval_seconds", into.interval);
  into.max_interval = into.interval;
  read(from, "max_poll_duration_seconds", into.max_time);
  const Section backoff = section(from, "backoff");
  if (backoff.object == nullptr) return;
  into.max_interval = std::chrono::seconds(30);
  into.multiplier = 1.5;
  read(backoff, "initial_interval_seconds", into.interval);
  read(backoff, "max_interval_seconds", into.max_interval);
  if (const auto multiplier = positive(backoff, "multiplier", "a number of at least 1"))
    into.multiplier = std::max(1.0, *multiplier);
}

void read_conditions(const Section& from, AsyncBehavior& into) {
  read(from, "status_field", into.status_field);
  read(from, "success_values", into.success_values);
  read(from, "failure_values", into.failure_values);
  read(from, "pending_values", into.pending_values);
  read(from, "error_field", into.error_field);
  read(from, "error_details_field", into.error_details_field);
  read(from, "result_field", into.result_field);
}

void read_progress(const Section& from, AsyncBehavior& into) {
  read(from, "progress_field", into.progress_field);
  read(from, "message_field", into.message_field);
  read(from, "phase_field", into.phase_field);
  read(from, "current_step_field", into.current_step_field);
  read(from, "total_steps_field", into.total_steps_field);
}

void read_cancellation(const Section& from, AsyncBehavior& into) {
  read(from, "cancel_tool", into.cancel_tool);
  into.cancel_tool_id_param = into.status_tool_id_param;
  read(from, "cancel_tool_id_param", into.cancel_tool_id_param);
  read(from, "cancel_timeout_seconds", into.cancel_timeout);
}

bool says_enough(const Section& root, const AsyncBehavior& read) {
  const std::size_t before = root.problems.size();
  const auto need = [&](bool there, std::string_view pointer, std::string_view what) {
    if (!there) root.wrong(pointer, what);
  };
  need(!read.status_tool.empty(), "status_polling/status_tool", "the name of a tool");
  need(!read.operation_id_field.empty(), "status_polling/operation_id_field", "a path such as \"run_id\"");
  need(!read.status_field.empty(), "completion_conditions/status_field", "a path such as \"status\"");
  need(!read.success_values.empty(), "completion_conditions/success_values", "at least one value");
  return root.problems.size() == before;
}

}  // namespace

std::optional<AsyncBehavior> read_async_behavior(const Json& json, std::vector<std::string>& problems) {
  const Section root{json.if_object(), "", problems};
  if (root.object == nullptr) {
    problems.emplace_back("expected an object");
    return std::nullopt;
  }
  AsyncBehavior read;
  read_polling(section(root, "status_polling"), read);
  read_conditions(section(root, "completion_conditions"), read);
  read_progress(section(root, "progress_tracking"), read);
  read_cancellation(section(root, "cancellation"), read);
  if (!says_enough(root, read)) return std::nullopt;
  return read;
}

const Json* value_at(const Json& json, std::string_view path) {
  const Json* value = &json;
  while (!path.empty() && value != nullptr) {
    const std::string_view part = path.substr(0, path.find('.'));
    path.remove_prefix(std::min(path.size(), part.size() + 1));
    if (const auto* const object = value->if_object()) {
      value = object->if_contains(part);
    } else if (const auto* const array = value->if_array()) {
      std::size_t index = 0;
      const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
      const bool whole = error == std::errc() && end == part.data() + part.size();
      value = whole ? array->if_contains(index) : nullptr;
    } else {
      value = nullptr;
    }
  }
  return value;
}

std::string status_text(const Json* value) {
  if (value == nullptr || value->is_structured() || value->is_null()) return {};
  return value->is_string() ? std::string(value->get_string()) : to_json_text(*value);
}

}  // namespace toolwire::bridge
