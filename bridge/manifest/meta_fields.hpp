// Takes the meta fields (`_tool`, `_output`, `_activity` …) out of a tool's parameters, where authors of tool schemas
// put them. Independent of the rest of a manifest.
#pragma once

#include <string>

#include "manifest/findings.hpp"

namespace toolwire::bridge {

/// Moves `_output` and `_activity` from `tool.parameters` to their fields and drops `_tool` and `_reasoningForCall`,
/// which the system adds. `pointer` is that of the parameters. A reserved or unknown meta field is a problem.
void take_meta_fields(ToolDefinition& tool, const std::string& pointer, Findings& findings);

}  // namespace toolwire::bridge
