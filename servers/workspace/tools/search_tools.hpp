// The tools that search for files and in files.
#pragma once

#include <toolwire/tool.hpp>

#include "workspace/system/roots.hpp"

namespace workspace {

/// `roots` must outlive the tools.
toolwire::Tool list_files_tool(const Roots& roots);
toolwire::Tool find_files_tool(const Roots& roots);
toolwire::Tool search_text_tool(const Roots& roots);

}  // namespace workspace
