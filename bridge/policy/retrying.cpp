#include "policy/retrying.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <random>
#include <stop_token>
#include <utility>

#include "policy/start_contained.hpp"
#include "registry/outcome_code.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge {
namespace {

double random_part() {
  thread_local std::minstd_rand generator{std::random_device{}()};
  return std::uniform_real_distribution<double>(0, 1)(generator);
}

/// Half of the pause is fixed, the rest random: many callers of one back-end must not retry at the same moment.
Timers::Clock::duration pause_before(int attempt, const RetrySettings& settings) {
  auto pause = settings.first_pause;
  for (int i = 1; i < attempt && pause < settings.max_pause; ++i) pause *= 2;
  const std::chrono::duration<double, std::milli> whole = std::min(pause, settings.max_pause);
  const double part = settings.jitter ? settings.jitter() : random_part();
  return std::chrono::duration_cast<Timers::Clock::duration>(whole * (0.5 + 0.5 * part));
}

/// One call and its attempts. Kept alive by the attempt that runs or the timer that waits; `call_` and `context_` live
/// until `reply_` is used.
class Attempts : public std::enable_shared_from_this<Attempts> {
 public:
  Attempts(ActivityPointer inner, Timers& timers, const RetrySettings& settings, const Call& call,
           ActivityContext& context, Reply reply)
      : inner_(std::move(inner)),
        timers_(timers),
        settings_(settings),
        call_(call),
        context_(context),
        reply_(std::move(reply)) {}

  /// The first attempt; its exceptions go to the caller.
  void run() {
    stop_.emplace(context_.stop_token(), Stop{*this});
    inner_->start(call_, context_, next_reply());
  }

 private:
  struct Stop {
    Attempts& attempts;
    void operator()() const {
      if (auto self = attempts.weak_from_this().lock()) self->stopped();
    }
  };

  Reply next_reply() {
    return Reply([self = shared_from_this()](AnyOutcome&& outcome) { self->concluded(std::move(outcome)); });
  }

  void concluded(AnyOutcome&& outcome) {
    if (!wait_for_another(outcome)) reply_(std::move(outcome));
  }

  /// False if the outcome is final.
  bool wait_for_another(AnyOutcome& outcome) {
    if (attempt_ >= settings_.further_attempts || code_of(outcome) != "unavailable") return false;
    const auto pause = std::max<Timers::Clock::duration>(pause_before(attempt_ + 1, settings_),
                                                         retry_after(outcome).value_or(std::chrono::milliseconds(0)));
    const auto when = timers_.now() + pause;
    if (context_.deadline() && when >= *context_.deadline()) return false;
    const MutexLock lock(mutex_);
    if (context_.stop_requested()) return false;  // checked under the lock: else `stopped` might find nothing to end
    ++attempt_;
    last_ = std::move(outcome);
    waiting_ = timers_.at(when, [self = shared_from_this()] { self->again(); });
    return true;
  }

  void again() {
    {
      const MutexLock lock(mutex_);
      if (!std::exchange(waiting_, std::nullopt)) return;
    }
    if (settings_.on_retry) settings_.on_retry(call_.tool);
    start_contained(*inner_, call_, context_, next_reply());
  }

  /// The call is cancelled or its time is over. Runs on the thread that reads the connection.
  void stopped() {
    std::optional<Timers::Handle> timer;
    {
      const MutexLock lock(mutex_);
      timer = std::exchange(waiting_, std::nullopt);
    }
    if (!timer) return;
    timers_.cancel(*timer);
    reply_(std::move(last_));
  }

  const ActivityPointer inner_;
  Timers& timers_;
  const RetrySettings& settings_;  // of the Activity, which the caller keeps until the reply is used
  const Call& call_;
  ActivityContext& context_;
  Reply reply_;
  int attempt_ = 0;
  Mutex mutex_;
  AnyOutcome last_;
  std::optional<Timers::Handle> waiting_ TOOLWIRE_GUARDED_BY(mutex_);
  std::optional<std::stop_callback<Stop>> stop_;  // last: it may run until it is destroyed
};

class Retrying : public Activity {
 public:
  Retrying(ActivityPointer inner, Timers& timers, RetrySettings settings)
      : inner_(std::move(inner)), timers_(timers), settings_(std::move(settings)) {}

  void start(const Call& call, ActivityContext& context, Reply reply) override {
    std::make_shared<Attempts>(inner_, timers_, settings_, call, context, std::move(reply))->run();
  }
  std::string_view kind() const override { return inner_->kind(); }

 private:
  const ActivityPointer inner_;
  Timers& timers_;
  const RetrySettings settings_;
};

}  // namespace

ActivityPointer retrying(ActivityPointer inner, Timers& timers, RetrySettings settings) {
  return std::make_shared<Retrying>(std::move(inner), timers, std::move(settings));
}

}  // namespace toolwire::bridge
