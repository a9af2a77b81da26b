#include "policy/polling.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "policy/operation_status.hpp"
#include "registry/outcome_code.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge {
namespace {

using Clock = Timers::Clock;

/// What all calls of one tool share.
struct Followed {
  ActivityPointer inner;
  AsyncBehavior behavior;
  RunTool run_tool;
  Timers& timers;
  std::chrono::milliseconds first_answer;
};

/// The context of the first call: that of the whole, but with the deadline of the first answer.
struct FirstContext {
  FirstContext(ActivityContext& whole, std::optional<Clock::time_point> deadline)
      : context(stop.get_token(), whole.request().answers(), whole.meta(),
                [&whole](double done, std::optional<double> total, std::string_view message) {
                  whole.progress(done, total, message);
                }),
        activity(context, deadline) {}
  std::stop_source stop;
  Context context;
  ActivityContext activity;
};

/// One operation from the call that starts it to its end. Kept alive by whatever is under way: the inner call, a look,
/// a timer. The reply, and with it the call's context, is kept until the inner call has ended: that one uses them.
class Operation : public std::enable_shared_from_this<Operation> {
 public:
  Operation(std::shared_ptr<const Followed> followed, ActivityContext& context, Reply reply)
      : followed_(std::move(followed)), context_(context), reply_(std::move(reply)) {}

  void run(const Call& call) {
    const auto limit = followed_->first_answer;
    first_.emplace(context_, limit.count() > 0 ? followed_->timers.now() + limit : context_.deadline());
    stop_.emplace(context_.stop_token(), OnStop{*this});
    if (limit.count() > 0) wait(limit, [this] { first_answer_is_late(); });
    auto self = shared_from_this();
    try {
      followed_->inner->start(call, first_->activity,
                              Reply([self](AnyOutcome&& outcome) { self->started(std::move(outcome)); }));
    } catch (...) {
      forget_timer();
      throw;
    }
  }

 private:
  enum class Phase { starting, following, over };
  struct OnStop {
    Operation& operation;
    void operator()() const {
      if (auto self = operation.weak_from_this().lock()) self->stopped();
    }
  };

  const AsyncBehavior& behavior() const { return followed_->behavior; }

  void first_answer_is_late() {
    {
      const MutexLock lock(mutex_);
      late_ = phase_ == Phase::starting;
    }
    first_->stop.request_stop();
  }

  /// The first answer: an operation to be followed, or the end already.
  void started(AnyOutcome&& outcome) {
    const auto* const result = std::get_if<ToolResult>(&outcome);
    const Json answer = result == nullptr || result->is_error ? Json() : json_of(*result);
    const Json* const id = value_at(answer, behavior().operation_id_field);
    const bool follow = !status_text(id).empty();
    bool late = false;
    {
      const MutexLock lock(mutex_);
      phase_ = Phase::following;
      late = late_;
      if (follow) id_ = *id;
    }
    if (late) return end(out_of_time("has not answered"), true);
    if (!follow) return end(std::move(outcome));
    until_ = followed_->timers.now() + behavior().max_time;
    interval_ = behavior().interval;
    report({.message = "started: " + status_text(id)});
    wait(until_end(interval_), [this] { look(); });
  }

  void look() {
    if (followed_->timers.now() >= until_) return end(out_of_time("is not done"), true);
    const int number = begin_look();
    auto self = shared_from_this();
    // A status tool that never answers must not stop the polling; its late answer is ignored.
    wait(until_end(std::max<std::chrono::milliseconds>(interval_, std::chrono::seconds(30))),
         [this, number] { looked(number, failure("timeout", "no answer", true)); });
    followed_->run_tool(behavior().status_tool, JsonObject{{behavior().status_tool_id_param, id_}},
                        looking_.get_token(),
                        [self, number](ToolResult result) { self->looked(number, std::move(result)); });
  }

  Clock::duration until_end(Clock::duration time) const { return std::min(time, until_ - followed_->timers.now()); }

  int begin_look() {
    const MutexLock lock(mutex_);
    return ++looks_;
  }

  void looked(int number, ToolResult result) {
    {
      const MutexLock lock(mutex_);
      if (phase_ == Phase::over || number != looks_ || number == answered_) return;
      answered_ = number;
    }
    const Json answer = json_of(result);
    if (result.is_error || answer.is_null()) return look_failed(std::move(result));
    failures_ = 0;
    OperationStatus now = status_in(answer, behavior(), number);
    if (now.result) return end(std::move(*now.result));
    report(now.progress);
    wait(until_end(interval_), [this] { look(); });
    grow_interval();
  }

  void look_failed(ToolResult result) {
    constexpr int max_failures = 5;
    if (++failures_ < max_failures) return wait(until_end(interval_), [this] { look(); });
    if (!result.is_error) result = failure("back_end_error", "expected a JSON answer", false);
    result.add_text("\"" + behavior().status_tool + "\" could not tell how the operation " + status_text(&id_) +
                    " stands; it may still be running");
    end(std::move(result));
  }

  void grow_interval() {
    const auto next = std::chrono::duration<double, std::milli>(interval_) * behavior().multiplier;
    interval_ = std::min(std::chrono::duration_cast<std::chrono::milliseconds>(next),
                         std::max(behavior().max_interval, behavior().interval));
  }

  ToolResult out_of_time(const std::string& what) const {
    const std::string operation = id_.is_null() ? "The operation" : "The operation " + status_text(&id_);
    return unknown_outcome("timeout", operation + " " + what + " within its time");
  }

  /// Sets the one timer there is, unless the call is over.
  void wait(Clock::duration time, std::function<void()> then) {
    std::optional<Timers::Handle> before;
    {
      const MutexLock lock(mutex_);
      if (phase_ == Phase::over) return;
      auto run = [self = shared_from_this(), then = std::move(then)] {
        if (!self->is_over()) then();
      };
      before = std::exchange(timer_, followed_->timers.after(time, std::move(run)));
    }
    if (before) followed_->timers.cancel(*before);
  }

  void forget_timer() {
    std::optional<Timers::Handle> timer;
    {
      const MutexLock lock(mutex_);
      timer = std::exchange(timer_, std::nullopt);
    }
    if (timer) followed_->timers.cancel(*timer);
  }

  bool is_over() {
    const MutexLock lock(mutex_);
    return phase_ == Phase::over;
  }

  /// Ends the call; the second end is ignored.
  void end(AnyOutcome outcome, bool cancel_it = false) {
    if (!take_over()) return;
    if (cancel_it) cancel_operation();
    reply_(std::move(outcome));
  }

  /// True for the one caller who may answer.
  bool take_over() {
    {
      const MutexLock lock(mutex_);
      if (phase_ != Phase::following || reporting_) return false;
      phase_ = Phase::over;
    }
    looking_.request_stop();
    forget_timer();
    return true;
  }

  /// The caller has cancelled, or its time is over. Runs on the thread that reads the connection: the cancel tool is
  /// called on another.
  void stopped() {
    first_->stop.request_stop();
    if (!take_over()) return;  // the first call notices the stop itself
    followed_->timers.after({}, [self = shared_from_this()] { self->cancel_operation(); });
    reply_(failure("cancelled", "The call was cancelled", false));
  }

  /// With a stop token of its own: this call must get through although the polling is stopped.
  void cancel_operation() {
    if (id_.is_null() || behavior().cancel_tool.empty()) return;
    auto stop = std::make_shared<std::stop_source>();
    followed_->timers.after(behavior().cancel_timeout, [stop] { stop->request_stop(); });
    followed_->run_tool(behavior().cancel_tool, JsonObject{{behavior().cancel_tool_id_param, id_}}, stop->get_token(),
                        [](const ToolResult&) {});
  }

  /// Without the lock, because it may wait while the client does not read; a stop that comes meanwhile is handled
  /// after.
  void report(const OperationProgress& progress) {
    {
      const MutexLock lock(mutex_);
      if (phase_ == Phase::over) return;
      reporting_ = true;
    }
    context_.progress(progress.done, progress.total, progress.message);
    {
      const MutexLock lock(mutex_);
      reporting_ = false;
    }
    if (context_stop_.stop_requested()) stopped();
  }

  const std::shared_ptr<const Followed> followed_;
  ActivityContext& context_;
  const std::stop_token context_stop_ = context_.stop_token();
  Reply reply_;  // used by whoever has taken over
  std::optional<FirstContext> first_;
  Mutex mutex_;
  Phase phase_ TOOLWIRE_GUARDED_BY(mutex_) = Phase::starting;
  bool late_ TOOLWIRE_GUARDED_BY(mutex_) = false;       // the first answer
  bool reporting_ TOOLWIRE_GUARDED_BY(mutex_) = false;  // a thread uses the context
  std::optional<Timers::Handle> timer_ TOOLWIRE_GUARDED_BY(mutex_);
  int looks_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  int answered_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  Json id_;  // written once, before anything follows
  // Used by one status call after the other:
  Clock::time_point until_ = {};
  std::chrono::milliseconds interval_{0};
  int failures_ = 0;
  std::stop_source looking_;
  std::optional<std::stop_callback<OnStop>> stop_;  // last: it may run until it is destroyed
};

class Polling : public Activity {
 public:
  explicit Polling(Followed followed) : followed_(std::make_shared<const Followed>(std::move(followed))) {}

  void start(const Call& call, ActivityContext& context, Reply reply) override {
    std::make_shared<Operation>(followed_, context, std::move(reply))->run(call);
  }
  std::string_view kind() const override { return followed_->inner->kind(); }

 private:
  const std::shared_ptr<const Followed> followed_;
};

}  // namespace

ActivityPointer polling(ActivityPointer inner, AsyncBehavior behavior, RunTool run_tool, Timers& timers,
                        std::chrono::milliseconds first_answer) {
  return std::make_shared<Polling>(
      Followed{std::move(inner), std::move(behavior), std::move(run_tool), timers, first_answer});
}

}  // namespace toolwire::bridge
