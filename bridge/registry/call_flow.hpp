// One call from its checked envelope to its answer, in the order native-protocols §5 gives: schema, rate check,
// approval, rate charge, deadline, confirmation, Activity, output validation, bounds. Knows no server and no threads;
// the caller that starts a flow keeps its deadline.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "registry/call_core.hpp"

namespace toolwire::bridge {

/// Kept alive by the Reply of its Activity. The steps come one after the other; `finish` may come from any thread.
/// Holds no share of the core once it waits: an Activity that never uses its Reply would hold itself by way of it.
class CallFlow : public std::enable_shared_from_this<CallFlow> {
 public:
  /// Runs the call as far as it goes at once. Throws nothing but ProtocolError.
  static void start(const std::shared_ptr<CallCore>& core, ToolPointer tool, const Resolution& resolution, Call call,
                    Context& context, Reply reply);
  /// The same for a call that could not be taken apart: observers see it, the caller reads why.
  static void refuse(const std::shared_ptr<CallCore>& core, ToolPointer tool, const Resolution& resolution,
                     Context& context, Reply reply, ToolResult why);

  CallFlow(const CallCore& core, ToolPointer tool, const Resolution& resolution, Call call, Context& context,
           Reply reply);

 private:
  using Clock = CallInHand::Clock;

  void begin();
  void run(CallCore& core);
  bool parameters_fit();
  bool rate_allows(CallCore& core);
  bool charge(CallCore& core);
  bool approved();
  bool confirmed();
  bool go_on_with(Decision&& decision);
  void execute(CallCore& core);
  void answered(AnyOutcome&& outcome);
  void finish(AnyOutcome&& outcome);
  void fail(ToolResult result) { finish(AnyOutcome(std::move(result))); }
  void stopped();
  bool is_late() const;
  void tell_observers(std::string_view code, const AnyOutcome* outcome);

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
  bool charged_;
  std::atomic<bool> over_{false};
  std::optional<std::stop_callback<std::function<void()>>> when_stopped_;  // only if somebody observes
};

}  // namespace toolwire::bridge
