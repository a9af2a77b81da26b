// The budget of a tool's output, applied to a result: what the model reads, what programs are told of it, where the
// rest is. Knows no wire.
#pragma once

#include <optional>
#include <string_view>

#include "features/kept_outputs.hpp"
#include "toolwire/output_budget.hpp"
#include "toolwire/result.hpp"

namespace toolwire::features {

/// `_meta` of a result whose text was cut. A tool that has cut its text itself sets it too, and is left alone.
inline constexpr std::string_view output_key = "dev.toolwire/output";

/// The result with no more text than the budget allows: the same result if it is short enough. Several texts that are
/// too long together become one. Structured content that is too large makes it an error result.
ToolResult truncate_result(const OutputBudget& budget, ToolResult&& result, KeptOutputs& kept);

/// A part of a kept text as a result within the budget, with the cursor of what follows.
ToolResult read_on(const KeptOutputs::Part& part, const OutputBudget& budget);

}  // namespace toolwire::features
