// What can be completed: one line of the table in completable.cpp for each type of reference.
#pragma once

#include <string>

#include "protocol/exchange.hpp"
#include "toolwire/completion.hpp"

namespace toolwire::protocol {

/// What suggests values for the argument of what is referred to; empty if nothing does. Throws -32602 for a reference
/// that is unusable, unknown or hidden from who asks, and for an argument it does not have.
Completer completer_of(const Exchange& exchange, const JsonObject& reference, const std::string& argument);

}  // namespace toolwire::protocol
