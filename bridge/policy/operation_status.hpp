// The status of an operation from the answer of a status tool. Takes values, returns values.
#pragma once

#include <optional>
#include <string>

#include <toolwire/context.hpp>
#include <toolwire/result.hpp>

#include "manifest/async_behavior.hpp"

namespace toolwire::bridge {

/// The JSON of a result: its structured content, else its text if that is JSON, else null.
Json json_of(const ToolResult& result);

struct OperationProgress {
  double done = 0;
  std::optional<double> total = {};
  std::string message = {};
};

/// The state of an operation. `result` is there once it has ended, well or not.
struct OperationStatus {
  std::optional<ToolResult> result = {};
  OperationProgress progress = {};
};

/// Reads the answer of a status tool. `looks` is how often it was asked, which is the progress if the answer has none.
OperationStatus status_in(const Json& answer, const AsyncBehavior& behavior, int looks);

}  // namespace toolwire::bridge
