// The error of a call that exceeds a limit of the server.
#pragma once

#include "protocol/exchange.hpp"

namespace toolwire::protocol {

/// Answers a tools/call with an error result that says when to try again.
void refuse_busy(const Exchange& exchange);

}  // namespace toolwire::protocol
