// The tools that read files, and what is known about a file. Independent of how bytes become text.
#pragma once

#include <toolwire/tool.hpp>

#include "workspace/system/roots.hpp"

namespace workspace {

/// `roots` must outlive the tools.
toolwire::Tool read_file_tool(const Roots& roots);
toolwire::Tool read_files_tool(const Roots& roots);
toolwire::Tool file_info_tool(const Roots& roots);

}  // namespace workspace
