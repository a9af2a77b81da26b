#include "toolwire/async.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <vector>

#include "system/later.hpp"
#include "toolwire/detail/async_call.hpp"
#include "toolwire/detail/context_builder.hpp"

namespace toolwire::detail {
namespace {

using namespace std::chrono_literals;

LaterCall& later_of(const Context& context) {
  LaterCall* const later = ContextBuilder::later_of(context);
  if (later == nullptr)
    throw std::logic_error("a tool that returns an Async or a future runs in a server only, whose timers it needs");
  return *later;
}

}  // namespace

// Pause

void Pause::Stop::operator()() const noexcept {
  if (const auto self = pause.lock()) self->end(true);
}

bool Pause::begin_work() {
  const MutexLock lock(mutex_);
  works_ = call_ != nullptr;
  return works_;
}

/// The call is there as long as it waits; once the timer runs, it may have gone on and ended.
void Pause::end_after(LaterCall::Clock::duration time) {
  LaterCall* later = nullptr;
  {
    const MutexLock lock(mutex_);
    if (call_) later = &call_->later();
  }
  if (later == nullptr) return;
  const auto timer = later->at(system::later<LaterCall::Clock>(time), [self = shared_from_this()] { self->end(); });
  const MutexLock lock(mutex_);
  if (call_) timer_ = timer;
}

void Pause::end_by(const std::stop_token& stop) { stop_.emplace(stop, Stop{weak_from_this()}); }

void Pause::end(bool is_stopped) {
  std::shared_ptr<AsyncCall> call;
  std::optional<LaterCall::Timer> timer;
  {
    const MutexLock lock(mutex_);
    if (is_stopped && works_) return;  // its work uses what the coroutine holds
    call = std::move(call_);
    timer = std::exchange(timer_, std::nullopt);
  }
  if (!call) return;
  if (timer && is_stopped) call->later().forget(*timer);
  AsyncCall::go_on(std::move(call), is_stopped);
}

// AnsweredLater

AnsweredLater::AnsweredLater(Reply&& reply, const Context& context)
    : reply_(std::move(reply)), later_(later_of(context)) {}

void AnsweredLater::conclude() {
  std::exception_ptr thrown;
  try {
    AnyOutcome outcome = take_outcome();
    return reply_(std::move(outcome));
  } catch (...) {
    thrown = std::current_exception();
  }
  later_.fail(thrown);
  reply_.release();
}

// AsyncCall

AsyncCall::AsyncCall(Reply&& reply, Context& context)
    : AnsweredLater(std::move(reply), context), stop_(context.stop_token()) {}

void AsyncCall::throw_if_broken() const {
  if (stopped_) throw Cancelled();
  if (thrown_) std::rethrow_exception(thrown_);
}

void AsyncCall::go_on(std::shared_ptr<AsyncCall> call, bool is_stopped) {
  call->stopped_ = is_stopped;
  LaterCall& later = call->later();
  later.go_on([call = std::move(call)] { call->run(); });
}

void AsyncCall::run() {
  const auto self = shared_from_this();
  while (!done_) {
    if (begin_ && has_begun(std::exchange(begin_, nullptr))) return;
    std::exchange(next_, nullptr).resume();
  }
  conclude();
}

/// Then whoever ends the wait runs the call, maybe already and on another thread.
bool AsyncCall::has_begun(const Begin& begin) {
  thrown_ = nullptr;
  try {
    begin(std::make_shared<Pause>(shared_from_this()));
    return true;
  } catch (...) {
    thrown_ = std::current_exception();
    return false;
  }
}

// FutureCall

/// At first often, then in steps that are short beside the time it has taken.
void FutureCall::look() {
  const auto self = shared_from_this();
  if (is_ready()) return later().go_on([self] { self->conclude(); });
  const auto now = LaterCall::Clock::now();
  const auto step = std::clamp<LaterCall::Clock::duration>((now - began_) / 8, 1ms, 32ms);
  later().at(now + step, [self] { self->look(); });
}

void FutureCall::let_go(FutureCall* call) {
  for (FutureCall* const ready : leave(call)) delete ready;
}

/// Those that were left and are ready by now, maybe this one. The list has no end, as what it holds has none.
std::vector<FutureCall*> FutureCall::leave(FutureCall* call) {
  struct Left {
    Mutex mutex;
    std::vector<FutureCall*> calls TOOLWIRE_GUARDED_BY(mutex);
  };
  static Left& left = *new Left;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
  std::vector<FutureCall*> ready;
  const MutexLock lock(left.mutex);
  left.calls.push_back(call);
  std::erase_if(left.calls, [&ready](FutureCall* one) {
    const bool is_ready = one->is_ready();
    if (is_ready) ready.push_back(one);
    return is_ready;
  });
  return ready;
}

}  // namespace toolwire::detail
