// Reads and checks one tool of a manifest. Independent of the other tools and categories.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "manifest/findings.hpp"

namespace toolwire::bridge {

/// The names the protocol knows, by object: what `with_snake_case` needs.
const std::vector<std::string_view>& tool_metadata_names();
const std::vector<std::string_view>& tool_example_names();

/// The tool with what could be read of it; everything else is in the findings. `native` is the tool in snake_case.
ToolDefinition read_tool(const Json& document, const std::string& pointer, ManifestOrigin origin, Findings& findings);

/// The tool of a part that was read before (`ToolDefinition::native`) without saying what is wrong with it.
ToolDefinition reread_tool(const Json& native);

}  // namespace toolwire::bridge
