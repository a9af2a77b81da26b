#include "http/running_call.hpp"

#include <utility>

#include "http/execution.hpp"

namespace toolwire::bridge::http {

RunningCall::RunningCall(std::shared_ptr<toolwire::http::Exchange> exchange,
                         std::unique_ptr<CallsUnderWay::Place> place)
    : exchange_(std::move(exchange)), stop_(place->stop()), place_(std::move(place)) {}

RunningCall::~RunningCall() {
  when_stopped_.reset();
  answer(failed_execution(500, "tool_error", "the tool has ended without a result"));
}

void RunningCall::begin() {
  if (!exchange_->tell(weak_from_this())) stop_.request_stop();
  when_stopped_.emplace(stop_.get_token(), [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->answer(failed_execution(503, "cancelled", "the provider is stopping"));
  });
}

/// The place is free before the client knows, who may call again.
void RunningCall::take(const ToolResult& result) {
  std::unique_ptr<CallsUnderWay::Place> left;
  {
    const MutexLock lock(mutex_);
    left = std::move(place_);
  }
  left.reset();
  answer(answer_execution(result));
}

void RunningCall::answer(Answer answer) {
  {
    const MutexLock lock(mutex_);
    if (std::exchange(is_answered_, true)) return;
  }
  send(reply_of(std::move(answer)), *exchange_);
}

}  // namespace toolwire::bridge::http
