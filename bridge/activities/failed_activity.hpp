// An Activity in the place of one that could not be made: every call fails with the reason. Without it the tool would
// be latent, and a model would make up the results of its calls.
#pragma once

#include <string>

#include <toolwire/bridge/activity.hpp>

namespace toolwire::bridge {

inline constexpr std::string_view failed_kind = "failed";

/// `why` is shown to whoever calls the tool, with the error code "activity_missing".
ActivityPointer make_failed_activity(std::string why);

}  // namespace toolwire::bridge
