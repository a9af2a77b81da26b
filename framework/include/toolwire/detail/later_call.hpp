// What a call offers to a tool that goes on after its function has returned: places to run, timers, a way to fail.
// Between the framework and toolwire/async.hpp; tools have Async and Reply.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <utility>

namespace toolwire::detail {

/// Thread-safe. Lives as long as the call's context. Jobs do not throw; those that never run, because serving has
/// ended, are destroyed.
class LaterCall {
 public:
  using Job = std::function<void()>;
  using Clock = std::chrono::steady_clock;
  using Timer = std::pair<Clock::time_point, std::uint64_t>;

  /// Runs a part of the tool, soon, where this server runs its tools (ServerOptions::executor).
  virtual void go_on(Job part) = 0;
  /// Runs a piece of work on a thread of the server.
  virtual void post(Job work) = 0;
  /// Calls `what`, which is short, at `when`.
  virtual Timer at(Clock::time_point when, Job what) = 0;
  virtual void forget(const Timer& timer) = 0;
  /// Ends the call as if its tool had thrown this. No other answer counts then.
  virtual void fail(std::exception_ptr thrown) = 0;

 protected:
  ~LaterCall() = default;
};

}  // namespace toolwire::detail
