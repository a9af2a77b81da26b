// One round of a request to a back-end: from the host's request to a result, a failure or questions. Independent of
// what is asked and answered.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>

#include "activities/mcp/back_request.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge::mcp {

/// Ends once. `telling` is held while the context is used and while the round ends, so that no report of progress uses
/// a context that is gone with the answer. Only a cancellation does not wait for it (it must not wait for a host that
/// does not read): it releases the round, which stays alive while another thread reports to it.
struct BackRequest::Round {
  std::unique_ptr<Caller> caller;
  Mutex telling;
  bool ended TOOLWIRE_GUARDED_BY(telling) = false;
  std::optional<std::stop_callback<Cancel>> when_cancelled = {};
};

}  // namespace toolwire::bridge::mcp
