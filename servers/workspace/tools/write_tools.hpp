// The tools that change files, registered only if the server may write.
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
