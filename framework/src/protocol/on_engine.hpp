// From the reading thread to the engine: requests that run a function of the embedding program.
#pragma once

#include "protocol/exchange.hpp"

namespace toolwire::protocol {

/// Whether the request fits into Limits::queued_bytes beside those that wait.
bool engine_has_room(const Exchange& exchange);

/// Has the engine run `work`; a ProtocolError it throws ends the request. Returns false, and leaves the exchange as it
/// is, when the engine has no room.
bool run_on_engine(Exchange& exchange, void (*work)(Exchange&&));

/// Refuses a request other than tools/call because a limit is reached: -32603, data: {code: "busy", retryable: true,
/// retryAfterMs}.
[[noreturn]] void throw_busy();

}  // namespace toolwire::protocol
