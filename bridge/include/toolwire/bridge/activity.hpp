// What runs an explicit tool: a function, a process, an HTTP service, another server. Knows neither schemas nor policy:
// arguments were checked before, results are checked after, deadlines and retries are applied around it.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>
#include <utility>

#include <toolwire/bridge/call.hpp>
#include <toolwire/context.hpp>
#include <toolwire/reply.hpp>
#include <toolwire/result.hpp>

namespace toolwire::bridge {

/// The circumstances of one call. Lives as long as its Reply; `stop_token`, `progress` and `deadline` may be used from
/// any thread, the rest only until `start` has returned.
class ActivityContext {
 public:
  using Clock = std::chrono::steady_clock;

  explicit ActivityContext(Context& context, std::optional<Clock::time_point> deadline = {})
      : context_(context), deadline_(deadline) {}

  /// Fires when the caller cancels, the deadline passes or the bridge shuts down.
  std::stop_token stop_token() const { return context_.stop_token(); }
  bool stop_requested() const { return context_.stop_requested(); }
  std::optional<Clock::time_point> deadline() const { return deadline_; }
  void progress(double done, std::optional<double> total = {}, std::string_view message = {}) {
    context_.progress(done, total, message);
  }
  /// `_meta` of the request: vendor keys and others. What is called in turn is given `trace` in the place of its own.
  const JsonObject& meta() const { return context_.meta(); }
  /// The trace the call belongs to, for what the Activity calls in turn.
  TraceContext trace() const { return trace_ ? *trace_ : context_.trace(); }
  /// The same circumstances, in which what is called in turn goes on with this.
  [[nodiscard]] ActivityContext within(TraceContext trace) const {
    ActivityContext inner = *this;
    inner.trace_ = std::move(trace);
    return inner;
  }
  /// The request behind the call: answers to questions, logging.
  Context& request() { return context_; }

 private:
  Context& context_;
  std::optional<Clock::time_point> deadline_;
  std::optional<TraceContext> trace_ = {};
};

/// One implementation. Thread-safe: calls may overlap. Must outlive its calls: whoever starts a call keeps a share
/// until the Reply is used.
class Activity {
 public:
  virtual ~Activity() = default;

  /// Starts one call and returns soon: no waiting for the answer, which goes through `reply`, once, from any thread.
  /// `call`, `context` and this Activity live until `reply` has been used or dropped; so an Activity that stores a
  /// Reply in itself must drop it when the call is told to stop, or it keeps itself alive. What it throws becomes an
  /// error result, as for any tool. A connection that failed is `failure("unavailable", …, true)`, or
  /// `unknown_outcome("unavailable", …)` if the work may have begun: the only failures that are retried here.
  virtual void start(const Call& call, ActivityContext& context, Reply reply) = 0;

  /// "native", "process", "http", "mcp": for diagnostics and the audit log.
  virtual std::string_view kind() const = 0;
};

using ActivityPointer = std::shared_ptr<Activity>;

/// A function as an Activity: returns its result, asks, or throws. It runs on the thread that makes the call.
using NativeActivity = std::function<Outcome<Json>(const Json& parameters, const Call& call, ActivityContext& context)>;

/// An Activity from a function.
ActivityPointer make_activity(NativeActivity function);

}  // namespace toolwire::bridge
