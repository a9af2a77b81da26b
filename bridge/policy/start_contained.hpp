// Starts an Activity and turns what it throws into a result.
#pragma once

#include <toolwire/bridge/activity.hpp>

namespace toolwire::bridge {

/// As `activity.start(…)`; an exception becomes the answer the framework would make of it.
void start_contained(Activity& activity, const Call& call, ActivityContext& context, Reply reply);

}  // namespace toolwire::bridge
