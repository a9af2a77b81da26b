// The tool through which a model reads on where the output of another tool was cut.
#pragma once

#include <string_view>

#include "features/kept_outputs.hpp"
#include "toolwire/output_budget.hpp"
#include "toolwire/tool.hpp"

namespace toolwire::features {

inline constexpr std::string_view read_output_name = "read_output";

/// `kept` must outlive the tool.
Tool read_output_tool(const KeptOutputs& kept, OutputBudget budget);

}  // namespace toolwire::features
