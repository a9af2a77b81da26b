// The tools that show what source files define. Independent of how symbols are found.
#pragma once

#include <memory>
#include <toolwire/tool.hpp>

#include "workspace/symbols/file_symbols.hpp"
#include "workspace/system/roots.hpp"

namespace workspace {

/// The roots must outlive the tools.
toolwire::Tool outline_tool(const Roots& roots, const std::shared_ptr<SymbolStore>& symbols);
toolwire::Tool find_symbol_tool(const Roots& roots, const std::shared_ptr<SymbolStore>& symbols);

}  // namespace workspace
