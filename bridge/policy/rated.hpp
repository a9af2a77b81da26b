// How often tools that are in no registry are called, those of whole servers: counted where everybody who records calls
// sees what is refused. Does not know who wants which rate.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include <toolwire/middleware.hpp>
#include <toolwire/stores.hpp>

namespace toolwire::bridge {

/// For Server::around_call: refuses a call (`rate_limited`, with the time to wait) once its caller has made so many in
/// a minute, see ToolInfo::rate_per_minute; zero: unlimited. A call that comes again with answers was charged when it
/// began: they should count once (ToolInfo::single_use_answers). A rate that cannot be looked up refuses, too.
Middleware rated(std::shared_ptr<RateStore> rates, std::function<std::int64_t(const ToolInfo&)> per_minute);

}  // namespace toolwire::bridge
