// Where a tools/call becomes a task.
#pragma once

#include "protocol/exchange.hpp"
#include "toolwire/tool.hpp"

namespace toolwire::protocol {

/// Whether this call of a tool is to become a task. Throws ProtocolError if the tool allows only that, and the client
/// cannot follow one.
bool becomes_task(const Exchange& exchange, const ToolInfo& info);

/// Answers the call of a long-running tool with a task and has the engine run it, if the client can follow one: it has
/// declared the extension (2026-07-28) or asks for a task (2025-11-25). Else returns false, and leaves the exchange as
/// it is. Throws ProtocolError to refuse the call. Runs on the driver, so that a task begins though all threads are
/// busy.
bool call_as_task(Exchange& exchange);

}  // namespace toolwire::protocol
