// Starts an Activity where nobody else would catch what it throws.
#pragma once

#include <toolwire/bridge/activity.hpp>

namespace toolwire::bridge {

/// As `activity.start(…)`; an exception becomes the error result the framework would make of it.
void start_contained(Activity& activity, const Call& call, ActivityContext& context, Reply reply);

}  // namespace toolwire::bridge
