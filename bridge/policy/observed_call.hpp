// How one call ended, reported exactly once, for middlewares that only observe: metrics, the audit log. Independent of
// what is done with it.
#pragma once

#include <functional>

#include <toolwire/bridge/policy.hpp>
#include <toolwire/middleware.hpp>

namespace toolwire::bridge {

/// Lets the call continue and calls `ended` when it has ended, with "timeout" or "cancelled" if it ended without the
/// tool: on the thread that answers, or, when the call is cancelled, on the thread that reads the connection; keep it
/// short.
void observe(const CallRequest& request, Context& context, Next next, std::function<void(const CallEnd&)> ended);

}  // namespace toolwire::bridge
