// One round of a request to a back-end: from the host's request to a result, a failure or questions. Independent of
// what is asked and answered.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>

#include "activities/mcp/back_request.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge::mcp {

/// Ends once. Who uses the context or ends the round holds `telling`: a report of progress must not see a context that
/// went with the answer. Only a cancellation does not wait for it (cancelling must not wait for a host that does not
/// read): it releases the round, which stays alive while another thread reports to it.
struct BackRequest::Round {
  std::unique_ptr<Caller> caller;
  Mutex telling;
  bool ended TOOLWIRE_GUARDED_BY(telling) = false;
  std::optional<std::stop_callback<Cancel>> when_cancelled = {};
};

}  // namespace toolwire::bridge::mcp
