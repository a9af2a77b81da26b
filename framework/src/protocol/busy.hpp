// What a call is told when a bound of the server is reached.
#pragma once

#include "protocol/exchange.hpp"

namespace toolwire::protocol {

/// Answers a tools/call with an error result that says when to try again.
void refuse_busy(const Exchange& exchange);

}  // namespace toolwire::protocol
