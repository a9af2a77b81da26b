// A tool of the native protocols as the bridge holds it: its interface and what its manifest promises about its calls.
// A plain value; knows neither files nor MCP, and not whether there is an implementation.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <toolwire/json.hpp>
#include <toolwire/output_budget.hpp>

namespace toolwire::bridge {

/// What a manifest says about calls of a tool (Tool Discovery Protocol 1.0, ToolMetadata). What is not stated is not
/// there: absent differs from false.
struct ToolMetadata {
  bool enabled_by_default = true;
  bool requires_approval = false;
  std::optional<std::int64_t> timeout_seconds = {};
  std::optional<std::int64_t> rate_limit_per_minute = {};
  std::optional<std::string> cost_estimate = {};
  std::optional<bool> long_running = {};
  std::optional<bool> idempotent = {};
  std::optional<bool> modifies_state = {};
  std::optional<bool> sensitive_output = {};
  std::vector<std::string> tags = {};
  Json examples = {};        // array of {description, input, expected_output?}, or null
  Json async_behavior = {};  // object, or null
};

/// One tool. `parameters` and `output` are JSON Schemas without meta fields (`_tool`, `_activity`, `_output` …).
struct ToolDefinition {
  std::string name = {};
  std::string title = {};
  std::string description = {};
  std::string category = {};
  Json parameters = {};                      // of an object
  Json output = {};                          // `_output`; null if there is none
  std::optional<std::string> activity = {};  // `_activity` as its author wrote it; "" forces latent
  ToolMetadata metadata = {};
  std::string origin = {};  // "SERVER/TOOL" of a tool that is offered as another MCP server has it; else empty
  std::optional<OutputBudget> output_budget = {};  // of the text in its results; else OutputBounds
  Json native = {};  // the tool as it stood in its document, for a round trip without loss; null if there was none
};

/// A grouping of tools (Tool Discovery Protocol 1.0, ToolCategory).
struct ToolCategory {
  std::string id = {};
  std::string name = {};
  std::string description = {};
  std::string icon = {};
};

}  // namespace toolwire::bridge
