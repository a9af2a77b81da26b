// The tools that run commands, registered only if the server was told to offer them. Independent of how commands are
// run and confined.
#pragma once

#include <toolwire/tool.hpp>

#include "workspace/commands/commands.hpp"

namespace workspace {

/// The commands must outlive the tools.
toolwire::Tool run_command_tool(Commands& commands);
toolwire::Tool read_output_tool(Commands& commands);
toolwire::Tool stop_command_tool(Commands& commands);

}  // namespace workspace
