// An Activity that always gives the same answer: a substitute for the real one in a profile for tests.
#pragma once

#include <toolwire/bridge/activity.hpp>

#include "manifest/findings.hpp"

namespace toolwire::bridge {

/// From `{"result": …}`, in which texts are templates for the call's parameters, `{"text": …}` or `{"error": …}`.
/// Problems go to `findings`.
ActivityPointer make_constant_activity(const JsonObject& settings, JsonObject defaults, const std::string& pointer,
                                       Findings& findings);

}  // namespace toolwire::bridge
