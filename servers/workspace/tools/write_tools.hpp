// The tools that change files, registered only where the server was told to write. Knows nothing of how it is done.
#pragma once

#include <toolwire/tool.hpp>

#include "workspace/system/roots.hpp"

namespace workspace {

/// `roots` must outlive the tools.
toolwire::Tool write_file_tool(const Roots& roots);
toolwire::Tool edit_file_tool(const Roots& roots);
toolwire::Tool move_tool(const Roots& roots);
toolwire::Tool delete_tool(const Roots& roots);

}  // namespace workspace
