// Retries after a connection failed, for tools that may be called twice. Independent of connections: the failure
// "unavailable" is retried, everything else is final.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include <toolwire/bridge/activity.hpp>

#include "system/timers.hpp"

namespace toolwire::bridge {

struct RetrySettings {
  int further_attempts = 3;
  std::chrono::milliseconds first_pause{100};  // doubled with every attempt
  std::chrono::milliseconds max_pause{5'000};
  std::function<double()> jitter = {};  // from 0 to 1: how much of a pause's second half is waited; random
  std::function<void(const std::string& tool)> on_retry = {};  // counts them, say
};

/// `inner`, started again when it answers "unavailable" (see activity.hpp), unless the call was told to stop or its
/// deadline would pass first. Only for tools declared idempotent: the first attempt may have had its effect.
/// A pause holds no thread. `timers` must outlive the Activity.
ActivityPointer retrying(ActivityPointer inner, Timers& timers, RetrySettings settings = {});

}  // namespace toolwire::bridge
