// The result cache around an Activity. It comes after the checks of a call, so that approval is asked for and the rate
// counted whether or not the result is remembered.
#pragma once

#include <chrono>
#include <memory>

#include <toolwire/bridge/activity.hpp>
#include <toolwire/bridge/result_cache.hpp>

namespace toolwire::bridge {

/// `inner`, not called for parameters whose result is not older than `time`. Calls that carry answers of the user
/// beside an approval go to `inner`.
ActivityPointer remembering(ActivityPointer inner, std::shared_ptr<ResultCache> cache, std::chrono::milliseconds time);

}  // namespace toolwire::bridge
