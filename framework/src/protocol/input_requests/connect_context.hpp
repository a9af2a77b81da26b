// From the Context of a function to the request it runs for: stop, log, progress, questions, who asks.
#pragma once

#include <memory>

#include "protocol/logging/call_log.hpp"
#include "protocol/progress.hpp"
#include "toolwire/context.hpp"

namespace toolwire::protocol {

/// Exchange and log must live as long as the context. `progress`: null if the client wants none; a task then reports to
/// its status.
void connect_context(Context& context, const Exchange& exchange, CallLog& log,
                     const std::shared_ptr<Progress>& progress);

}  // namespace toolwire::protocol
