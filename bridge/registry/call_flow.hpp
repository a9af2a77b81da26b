// One call of a native tool, from its parameters to its answer: the stages before its Activity, each with a name and in
// the order of native-protocols §5, and those after it. What every request has (answers to questions, progress, log,
// deadline, middleware) belongs to the framework's request, or to EmbeddedCall.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include <toolwire/detail/asking.hpp>
#include <toolwire/rate_window.hpp>

#include "registry/call_core.hpp"
#include "registry/call_watch.hpp"

namespace toolwire::bridge {

/// Kept alive by the Reply of its Activity, or by the store it waits for. The stages come one after the other; `finish`
/// may come from any thread. Holds no share of the core once it waits: an Activity that never uses its Reply would hold
/// itself by way of it.
class CallFlow : public std::enable_shared_from_this<CallFlow>,
                 public toolwire::detail::Asking<CallFlow, RateStore::Wait> {
 public:
  /// Runs the call as far as it goes at once. Whatever goes wrong is the answer.
  static void start(const std::shared_ptr<CallCore>& core, ToolPointer tool, Resolution resolution, Call call,
                    Context& context, Reply reply);
  /// The same for a call whose arguments could not be split: observers see it, the caller gets the reason.
  static void refuse(const std::shared_ptr<CallCore>& core, ToolPointer tool, const Resolution& resolution,
                     Context& context, Reply reply, ToolResult why);

  CallFlow(const std::shared_ptr<CallCore>& core, ToolPointer tool, Resolution resolution, Call call, Context& context,
           Reply reply);

 private:
  using Clock = CallInHand::Clock;

  void begin();
  void run(CallCore& core);

  // The stages: each lets the call continue (true), or ends it, or waits for a store and is then run again (false).
  bool check_parameters(CallCore& core);
  bool look_at_rate(CallCore& core);
  bool approve(CallCore& core);
  bool charge_rate(CallCore& core);
  bool confirm(CallCore& core);
  bool execute(CallCore& core);

  bool parameters_fit();
  std::string rate_key();
  bool go_on_with(Decision&& decision);
  bool allows(const std::optional<Done<RateStore::Wait>::Result>& answer);
  friend class toolwire::detail::Asking<CallFlow, RateStore::Wait>;
  void answered_later();
  void run_later();

  void answered(AnyOutcome&& outcome);
  void finish(AnyOutcome&& outcome);
  void fail(ToolResult result) { finish(AnyOutcome(std::move(result))); }
  bool is_late() const;
  void tell_observers(const CallEnd& end);

  const Clock::time_point began_ = Clock::now();
  const std::weak_ptr<CallCore> core_;
  const OutputBounds bounds_;
  const std::shared_ptr<const Policies> policies_;
  const ToolPointer tool_;
  const Resolution resolution_;
  Call call_;
  ActivityContext context_;
  CallInHand in_hand_;
  Reply reply_;
  ActivityPointer activity_;
  std::optional<Json> replaced_;
  std::size_t stage_ = 0;  // the next one
  bool charged_;
  std::atomic<bool> over_{false};
  std::shared_ptr<CallWatch> watch_;  // null if nobody observes
};

}  // namespace toolwire::bridge
