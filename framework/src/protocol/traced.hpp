// A request as a part of a trace: what its Tracer is told of it, and what it passes on. Independent of methods.
#pragma once

#include <string_view>

#include "protocol/exchange.hpp"
#include "toolwire/detail/tracer.hpp"
#include "toolwire/result.hpp"

namespace toolwire::protocol {

/// Has the tracer follow the request from now on. Its revision need not be known.
void follow(Exchange& exchange, std::string_view method, Tracer& tracer);

/// What a tool's result says of its call. Refers to the result.
RequestEnd end_with(const ToolResult& result);

}  // namespace toolwire::protocol
