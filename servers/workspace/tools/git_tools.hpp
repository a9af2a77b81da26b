// The tools that show what git knows of the workspace. Independent of how git is run.
#pragma once

#include <toolwire/tool.hpp>

#include "workspace/system/programs.hpp"
#include "workspace/system/roots.hpp"

namespace workspace {

/// Both must outlive the tools.
toolwire::Tool git_status_tool(const Roots& roots, const Programs& programs);
toolwire::Tool git_diff_tool(const Roots& roots, const Programs& programs);
toolwire::Tool git_blame_tool(const Roots& roots, const Programs& programs);
toolwire::Tool git_log_tool(const Roots& roots, const Programs& programs);

}  // namespace workspace
