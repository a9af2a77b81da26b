#include "policy/observed_call.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "registry/outcome_code.hpp"

namespace toolwire::bridge {
namespace {

using Clock = std::chrono::steady_clock;

/// Owned by the observer of the outcome alone: if destroyed without a report, the call was given up.
class Watch : public std::enable_shared_from_this<Watch> {
 public:
  Watch(std::chrono::milliseconds timeout, std::function<void(const CallEnd&)> ended)
      : timeout_(timeout), ended_(std::move(ended)) {}
  ~Watch() {
    stop_.reset();
    ended_otherwise();
  }

  void stop_with(std::stop_token token) { stop_.emplace(std::move(token), Stop{*this}); }

  void tell(const std::string& code, const AnyOutcome* outcome) {
    if (!told_.exchange(true)) ended_({code, Clock::now() - begin_, outcome});
  }

 private:
  struct Stop {
    Watch& watch;
    void operator()() const {
      if (auto self = watch.weak_from_this().lock()) self->ended_otherwise();
    }
  };

  /// The framework fires one token for both. Its clock starts a little before the first middleware is asked.
  void ended_otherwise() {
    constexpr std::chrono::milliseconds head_start{20};
    const bool late = timeout_.count() > 0 && Clock::now() - begin_ + head_start >= timeout_;
    tell(late ? "timeout" : "cancelled", nullptr);
  }

  const Clock::time_point begin_ = Clock::now();
  const std::chrono::milliseconds timeout_;
  const std::function<void(const CallEnd&)> ended_;
  std::atomic<bool> told_{false};
  std::optional<std::stop_callback<Stop>> stop_;
};

}  // namespace

void observe(const CallRequest& request, Context& context, Next next, std::function<void(const CallEnd&)> ended) {
  auto watch = std::make_shared<Watch>(request.info.timeout, std::move(ended));
  watch->stop_with(context.stop_token());
  next.then([watch](AnyOutcome& outcome) { watch->tell(code_of(outcome), &outcome); });
}

}  // namespace toolwire::bridge
