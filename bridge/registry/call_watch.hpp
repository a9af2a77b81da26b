// How one call ended, reported exactly once: by whoever has its outcome, or, if there is none, when the call is told to
// stop. Independent of what is done with it.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>

#include <toolwire/bridge/policy.hpp>

namespace toolwire::bridge {

/// Thread-safe. Destroyed without an outcome, the call counts as given up.
class CallWatch : public std::enable_shared_from_this<CallWatch> {
 public:
  using Clock = std::chrono::steady_clock;
  using Ended = std::function<void(const CallEnd&)>;

  /// A call that ends without an outcome has timed out if it ends at `late_from` or later, else it was cancelled.
  CallWatch(std::optional<Clock::time_point> late_from, Ended ended)
      : late_from_(late_from), ended_(std::move(ended)) {}
  ~CallWatch();
  CallWatch(const CallWatch&) = delete;
  CallWatch& operator=(const CallWatch&) = delete;

  void stop_with(std::stop_token token);
  /// To be called once. `outcome`: as it is sent. Returns when nobody is being told any more, also of a stop by another
  /// thread, so that what the call has may go.
  void end(std::string_view code, const AnyOutcome& outcome);

 private:
  struct Stop {
    CallWatch& watch;
    void operator()() const;
  };
  void tell(std::string_view code, const AnyOutcome* outcome);
  void ended_without_outcome();

  const Clock::time_point began_ = Clock::now();
  const std::optional<Clock::time_point> late_from_;
  const Ended ended_;
  std::atomic<bool> told_{false};
  std::optional<std::stop_callback<Stop>> stop_;
};

}  // namespace toolwire::bridge
