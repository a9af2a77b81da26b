// The one place where a tool's function is called.
#pragma once

#include "features/served_tool.hpp"

namespace toolwire::features {

/// Checks the arguments of a tool that takes JSON, and runs it; what it came to goes to `send`, at once or later.
/// Throws what the tool throws, and InvalidArguments for arguments that do not fit.
void invoke(const ServedTool& served, const Json& arguments, Context& context, const Reply::Send& send);

}  // namespace toolwire::features
