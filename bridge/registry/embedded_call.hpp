// A call made by the program itself, without a server: it has its own stop source, deadline and Context.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

#include "registry/call_core.hpp"
#include "toolwire/detail/call_clock.hpp"

namespace toolwire::bridge {

/// Shared by its flow, its deadline and those who may cancel it. Thread-safe. Holds no share of the core, see CallFlow.
class EmbeddedCall : public std::enable_shared_from_this<EmbeddedCall> {
 public:
  using Done = Registry::Done;

  EmbeddedCall(Call call, Done done, const CallSettings& settings, std::shared_ptr<Timers> timers);

  /// Why the call cannot begin; nothing if it can.
  static std::optional<ToolResult> obstacle(const CallCore& core, const Call& call);

  /// To be called once. `done` may be called before it returns.
  void start(const std::shared_ptr<CallCore>& core);
  /// Tells the call to stop and completes it as cancelled, unless it is over.
  void cancel();

 private:
  void run(const std::shared_ptr<CallCore>& core, const ToolPointer& tool);
  friend class toolwire::detail::CallClock;
  void timed_out();
  void end(ToolResult why);
  void complete(AnyOutcome&& outcome);
  void complete(ToolResult&& result);

  const Call call_;
  Done done_;
  std::stop_source stop_;
  const JsonObject no_answers_;
  const JsonObject meta_;
  Context context_;
  const std::shared_ptr<Timers> timers_;
  toolwire::detail::CallClock clock_;
  ToolPointer tool_;  // set before the clock starts
  const std::stop_token asked_to_stop_;
  std::optional<std::stop_callback<std::function<void()>>> when_asked_;
};

}  // namespace toolwire::bridge
