#include "policy/observed_call.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "registry/call_watch.hpp"
#include "registry/outcome_code.hpp"

namespace toolwire::bridge {
namespace {

/// From when a stop is a timeout: the framework fires one token for timeouts and cancellations. Its clock starts a
/// little before the first middleware is called.
std::optional<CallWatch::Clock::time_point> late_from(std::chrono::milliseconds timeout) {
  constexpr std::chrono::milliseconds head_start{20};
  if (timeout.count() <= 0) return std::nullopt;
  return CallWatch::Clock::now() + timeout - head_start;
}

}  // namespace

void observe(const CallRequest& request, Context& context, Next next, std::function<void(const CallEnd&)> ended) {
  auto watch = std::make_shared<CallWatch>(late_from(request.info.timeout), std::move(ended));
  watch->stop_with(context.stop_token());
  next.then([watch, &context](AnyOutcome& outcome) { watch->end(code_of(outcome, context), outcome); });
}

}  // namespace toolwire::bridge
