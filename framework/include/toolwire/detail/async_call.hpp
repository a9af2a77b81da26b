// A call of a tool that goes on later, without what depends on its types. Nobody but async.hpp includes this.
#pragma once

#include <coroutine>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "toolwire/detail/later_call.hpp"
#include "toolwire/detail/mutex.hpp"
#include "toolwire/reply.hpp"

namespace toolwire {
class Context;
}

namespace toolwire::detail {

class AsyncCall;

/// One stop of a coroutine: it ends once, by what is waited for or because the call is to stop, and the coroutine goes
/// on. Thread-safe. Owns the call meanwhile; whoever will end it owns it, so that a call nobody goes on with is freed.
class Pause : public std::enable_shared_from_this<Pause> {
 public:
  explicit Pause(std::shared_ptr<AsyncCall> call) : call_(std::move(call)) {}

  /// What is waited for is there.
  void end() { end(false); }
  /// Whether it may begin now; from then on a stop waits for it.
  bool begin_work();
  /// Ends when so much time has passed.
  void end_after(LaterCall::Clock::duration time);
  /// From now on `stop` ends it. The last step of whoever has begun what is waited for.
  void end_by(const std::stop_token& stop);

 private:
  struct Stop {
    std::weak_ptr<Pause> pause;
    void operator()() const noexcept;
  };
  void end(bool is_stopped);

  Mutex mutex_;
  std::shared_ptr<AsyncCall> call_ TOOLWIRE_GUARDED_BY(mutex_);  // null: over
  bool works_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  std::optional<LaterCall::Timer> timer_ TOOLWIRE_GUARDED_BY(mutex_);
  std::optional<std::stop_callback<Stop>> stop_;
};

/// What an open call is answered with once it is there.
class AnsweredLater {
 public:
  AnsweredLater(const AnsweredLater&) = delete;
  AnsweredLater& operator=(const AnsweredLater&) = delete;

  LaterCall& later() const { return later_; }

 protected:
  /// Throws std::logic_error for a context that no server has made.
  AnsweredLater(Reply&& reply, const Context& context);
  virtual ~AnsweredLater() = default;

  /// What the tool came to, whose objects are destroyed by then. Throws what it has thrown.
  virtual AnyOutcome take_outcome() = 0;
  /// Answers. The context may be gone afterwards.
  void conclude();

 private:
  Reply reply_;  // keeps the context, and goes last
  LaterCall& later_;
};

/// Has one thread at a time, which runs its coroutines one after the other until they wait: none of them resumes
/// another one itself, so that neither their depth nor the number of steps uses up a stack.
class AsyncCall : public AnsweredLater, public std::enable_shared_from_this<AsyncCall> {
 public:
  using Begin = std::function<void(const std::shared_ptr<Pause>&)>;

  /// Inside of a coroutine that suspends itself: what runs next, `begin` once it stands, or the end of all.
  void run_next(std::coroutine_handle<> next) noexcept { next_ = next; }
  void wait(Begin begin) { begin_ = std::move(begin); }
  void is_done() noexcept { done_ = true; }
  /// After a wait: throws Cancelled if the call is to stop, or what `begin` has thrown.
  void throw_if_broken() const;

  const std::stop_token& stop_token() const { return stop_; }

 protected:
  AsyncCall(Reply&& reply, Context& context);
  ~AsyncCall() override = default;

  void run();

 private:
  friend class Pause;
  static void go_on(std::shared_ptr<AsyncCall> call, bool is_stopped);
  bool has_begun(const Begin& begin);

  const std::stop_token stop_;
  std::coroutine_handle<> next_;
  Begin begin_;
  std::exception_ptr thrown_;  // by the beginning of the last wait
  bool done_ = false;
  bool stopped_ = false;
};

/// A call that waits for a std::future, which tells nobody when it is ready: it is looked at again and again.
class FutureCall : public AnsweredLater, public std::enable_shared_from_this<FutureCall> {
 protected:
  using AnsweredLater::AnsweredLater;
  ~FutureCall() override = default;

  /// Owns it. One that is let go while its future is not ready lives on, as nobody can end what it waits for.
  template <class Call>
  static std::shared_ptr<Call> owned(Call* call) {
    return std::shared_ptr<Call>(call, [](Call* last) { let_go(last); });
  }
  void look();
  virtual bool is_ready() const = 0;

 private:
  static void let_go(FutureCall* call);
  static std::vector<FutureCall*> leave(FutureCall* call);

  const LaterCall::Clock::time_point began_ = LaterCall::Clock::now();
};

}  // namespace toolwire::detail
