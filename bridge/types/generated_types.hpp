// The types of tools' parameters and results for programs in other languages. Takes definitions, returns texts.
#pragma once

#include <string>
#include <vector>

#include <toolwire/bridge/definition.hpp>

namespace toolwire::bridge {

/// Declarations for TypeScript (a .d.ts file): an interface of parameters and a type of results for each tool, and
/// `Tools`, all of them by name. What types cannot express is in comments, as `@minimum 1`.
std::string typescript_types(const std::vector<ToolDefinition>& tools);

/// A stub for Python (a .pyi file): TypedDicts for parameters and results, and a function for each tool.
std::string python_types(const std::vector<ToolDefinition>& tools);

}  // namespace toolwire::bridge
