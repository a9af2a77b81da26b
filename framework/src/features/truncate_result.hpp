// The budget of a tool's output, applied to a result: what the model reads, what programs are told of it, where the
// rest is. Independent of the wire.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "features/kept_outputs.hpp"
#include "toolwire/output_budget.hpp"
#include "toolwire/result.hpp"

namespace toolwire::features {

/// `_meta` of a result whose text was cut. A tool that has cut its text itself sets it too, and is left alone.
inline constexpr std::string_view output_key = "dev.toolwire/output";

/// All texts of a result that are too long together, and what of them is shown.
struct Truncation {
  std::string text;
  TextCut cut;
  const OutputBudget& budget;
};

/// How the texts of the result are to be cut; nothing if they are short enough. Structured content that is too large
/// makes an error of the result. The budget must outlive what it comes to.
std::optional<Truncation> truncation_of(ToolResult& result, const OutputBudget& budget);

/// Puts what is shown in the place of the texts and keeps the rest for the caller, where there is room; the result goes
/// to `then`, at once or later.
void truncate_result(ToolResult&& result, Truncation&& truncation, const KeptOutputs& kept, std::string_view caller,
                     std::function<void(ToolResult&&)> then);

/// A part of a kept text as a result within the budget, with the cursor of what follows.
ToolResult read_on(const KeptOutputs::Part& part, const OutputBudget& budget);

}  // namespace toolwire::features
