// The one place where a tool's function is called, and where what it throws becomes a result.
#pragma once

#include <functional>
#include "toolwire/tool.hpp"

namespace toolwire::features {

/// Runs `body`, which is the tool's or somebody's code around it; what it throws goes to `send` as a result.
/// Throws nothing but ProtocolError.
void contain(const Tool& tool, const Reply::Send& send, const std::function<void()>& body);

/// Runs the tool; what it came to goes to `send`, at once or later. Throws nothing but ProtocolError.
void invoke(const Tool& tool, const Json& arguments, Context& context, const Reply::Send& send);

}  // namespace toolwire::features
