// How an operation that continues after its tool has answered is followed to its end: what a manifest says in
// `async_behavior`. A plain value and its reading; follows nothing itself.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/json.hpp>

namespace toolwire::bridge {

/// Paths name members with dots: "run.status". Empty ones are not stated.
struct AsyncBehavior {
  std::string status_tool = {};
  std::string operation_id_field = {};    // in the first answer
  std::string status_tool_id_param = {};  // what the status tool calls the id
  std::chrono::milliseconds interval{5'000};
  std::chrono::milliseconds max_interval{5'000};
  double multiplier = 1;  // of the interval, after each look
  std::chrono::milliseconds max_time{3'600'000};

  std::string status_field = {};  // and all below: in the status tool's answer
  std::vector<std::string> success_values = {};
  std::vector<std::string> failure_values = {};
  std::vector<std::string> pending_values = {};
  std::string error_field = {};
  std::string error_details_field = {};
  std::string result_field = {};

  std::string progress_field = {};  // percent
  std::string message_field = {};
  std::string phase_field = {};
  std::string current_step_field = {};
  std::string total_steps_field = {};

  std::string cancel_tool = {};
  std::string cancel_tool_id_param = {};
  std::chrono::milliseconds cancel_timeout{10'000};
};

/// Reads `metadata.async_behavior`; members in snake_case or camelCase, unknown ones are ignored. Nothing if it says
/// too little to be followed; then, and for members that are wrong, `problems` say what was expected, each with its
/// pointer below `async_behavior`.
std::optional<AsyncBehavior> read_async_behavior(const Json& json, std::vector<std::string>& problems);

/// The value at a dotted path, or null if there is none. A part that is a number is an index where an array stands.
const Json* value_at(const Json& json, std::string_view path);

/// A status as text: a string as it is, numbers and booleans as JSON; empty for everything else.
std::string status_text(const Json* value);

}  // namespace toolwire::bridge
