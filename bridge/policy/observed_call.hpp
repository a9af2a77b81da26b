// What became of one call, told exactly once, for middlewares that only look: metrics, the audit log. Independent of
// what is done with it.
#pragma once

#include <functional>

#include <toolwire/bridge/policy.hpp>
#include <toolwire/middleware.hpp>

namespace toolwire::bridge {

/// Lets the call go on and tells `ended` how it ended, "timeout" or "cancelled" if it ended without the tool: on the
/// thread that answers, or, when the call is cancelled, on the thread that reads the connection; keep it short.
void observe(const CallRequest& request, Context& context, Next next, std::function<void(const CallEnd&)> ended);

}  // namespace toolwire::bridge
