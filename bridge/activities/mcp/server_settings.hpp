// What a bindings file says of MCP servers and of the Activities that run there, read and checked. Starts nothing.
#pragma once

#include <string>

#include <toolwire/json.hpp>

#include "activities/mcp/options.hpp"
#include "manifest/findings.hpp"

namespace toolwire::bridge::mcp {

/// An entry of "servers": `{"command": […], "environment": {…}, "inherit": […], "directory": …, "revision": …,
/// "pinned": FILE, "on_change": "refuse" | "accept", "prefix": …, "start_timeout_seconds": …,
/// "question_timeout_seconds": …, "grace_seconds": …}`. The process gets PATH, HOME and the like of ours, what
/// "inherit" names (["*"]: everything) and what "environment" says. Relative paths count from `directory`. What is
/// wrong goes to `findings`.
BackEndOptions read_server(const std::string& name, const Json& settings, const std::string& pointer,
                           const std::string& directory, Findings& findings);

/// The settings of a binding of the kind "mcp": `{"server": NAME, "tool": NAME}`.
struct McpSettings {
  std::string server = {};
  std::string tool = {};  // as the server calls it; the name of the binding if it is not given
};
McpSettings read_mcp_settings(const std::string& name, const Json& settings, const std::string& pointer,
                              Findings& findings);

}  // namespace toolwire::bridge::mcp
