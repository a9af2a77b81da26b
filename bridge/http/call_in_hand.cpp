#include "http/call_in_hand.hpp"

#include <utility>

#include "system/socket_stream.hpp"

namespace toolwire::bridge::http {

void CallInHandResult::set(ToolResult result) {
  const MutexLock lock(mutex_);
  if (std::exchange(is_set_, true)) return;
  result_ = std::move(result);
  event_.set();
}

std::optional<ToolResult> CallInHandResult::take() {
  const MutexLock lock(mutex_);
  return std::exchange(result_, std::nullopt);
}

std::optional<ToolResult> wait_for_result(CallInHandResult& result, int socket, std::stop_source& stop) {
  if (wait_for_event_or_hang_up(result.descriptor(), socket) == FirstOf::event) return result.take();
  stop.request_stop();
  return {};
}

}  // namespace toolwire::bridge::http
