// Tools and prompts of one server under the names they have in another, which is said to have mounted the first. Their
// functions are shared, not copied.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "features/served_prompt.hpp"
#include "features/served_tool.hpp"
#include "toolwire/output_budget.hpp"

namespace toolwire::features {

/// `name` under a prefix: with '_' in between, as hosts take it.
std::string mounted_name(const std::string& prefix, const std::string& name);

/// The tool under its longer name. Without a budget of its own it has `budget`. Its line, if it has one, is the same:
/// it runs beside itself no more than before. Throws std::invalid_argument, naming the tool, if that name is too long.
std::shared_ptr<const ServedTool> mounted(const std::shared_ptr<const ServedTool>& tool, const std::string& prefix,
                                          const std::optional<OutputBudget>& budget);
std::shared_ptr<const ServedPrompt> mounted(const std::shared_ptr<const ServedPrompt>& prompt,
                                            const std::string& prefix);

}  // namespace toolwire::features
