// Whether several files fit together: a name that was mistyped in one of them would leave a tool without what runs it.
#pragma once

#include <functional>
#include <string>

#include "commands/tool_sources.hpp"

namespace toolwire::bridge {

/// Every binding is used by a tool, every server by a binding, every runtime has its tools and its program, and a tool
/// stands in one file. Each that is not so is a problem, with the nearest name there is.
bool fit_together(const LoadedSources& loaded, const std::function<void(const std::string&)>& problem);

/// Every runtime has its tools and its program.
bool runtimes_fit(const Bindings& bindings, const std::function<void(const std::string&)>& problem);

}  // namespace toolwire::bridge
