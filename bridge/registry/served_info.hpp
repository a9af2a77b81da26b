// The description of a native tool for hosts. Takes values, returns values.
//
// `_meta` of a tool, whose inverse is in manifest/:
//   dev.toolwire/metadata   {category, …every member of the native metadata}
//   dev.toolwire/members    members of the native tool that MCP and `metadata` have no place for
//   dev.toolwire/execution  "latent" where a model runs the tool
//   dev.toolwire/confinement  what the programs behind it are refused; put in by Serving
//   dev.toolwire/description  as its author wrote it, where the bridge has added to it
//   dev.toolwire/added      JSON pointers of what the bridge put into the tool; taken out again on the way back, the
//                           last one first
#pragma once

#include <toolwire/bridge/bridge.hpp>

namespace toolwire::bridge {

/// The tool as `tools/list` shows it, without the function behind it.
ToolInfo served_info(const RegisteredTool& tool, const Resolution& resolution, const RegistryOptions& registry,
                     const BridgeOptions& options, const std::vector<ToolCategory>& categories);

/// Whether hosts would see a difference, or the server would treat calls differently.
bool same_to_hosts(const ToolInfo& one, const ToolInfo& other);

}  // namespace toolwire::bridge
