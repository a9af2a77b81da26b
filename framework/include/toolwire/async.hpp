// Tools that go on later: coroutines that wait without a thread, and std::future. To be included on purpose, beside
// server.hpp, because <coroutine> and <future> cost time to compile.
#pragma once

#include <chrono>
#include <concepts>
#include <coroutine>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "toolwire/detail/async_call.hpp"
#include "toolwire/detail/invoke.hpp"
#include "toolwire/detail/later_result.hpp"
#include "toolwire/error.hpp"
#include "toolwire/reply.hpp"

namespace toolwire {

/// What `co_await delay(...)` and `co_await post(...)` throw in a call that is to stop: cancelled, past its deadline,
/// or of a server that ends. Let it out; nobody reads what such a call answers.
struct Cancelled : ToolError {
  Cancelled() : ToolError("This call was cancelled") {}
};

template <class T>
class Async;

namespace detail {

template <class T>
inline constexpr bool is_async = false;
template <class T>
inline constexpr bool is_async<Async<T>> = true;

/// What `delay` returns.
class Delay {
 public:
  explicit Delay(LaterCall::Clock::duration time) : time_(time) {}

  bool await_ready() const noexcept { return false; }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> waiting) {
    call_ = &waiting.promise().call();
    call_->run_next(waiting);
    call_->wait([time = time_, stop = call_->stop_token()](const auto& pause) {
      pause->end_after(time);
      pause->end_by(stop);
    });
  }
  void await_resume() const { call_->throw_if_broken(); }

 private:
  const LaterCall::Clock::duration time_;
  AsyncCall* call_ = nullptr;
};

/// Whether a `co_await` expression may hold it. GCC 12 destroys closures twice that are written inside of one and hold
/// what needs a destructor; those that have a name, or hold references and numbers alone, are safe with all compilers.
template <class T>
inline constexpr bool may_be_posted = std::is_lvalue_reference_v<T> || std::is_trivially_destructible_v<T>;

/// What `post` returns. Work and executor that have a name are referred to: they are in the frame of the coroutine.
template <class Work, class Executor>
class Posted {
 public:
  static_assert(may_be_posted<Work> && may_be_posted<Executor>,
                "toolwire: what is posted has a name, or holds nothing but references and numbers: auto work = [...] "
                "{...}; co_await post(work)");
  using Value = std::invoke_result_t<std::remove_reference_t<Work>&>;
  static_assert(!std::is_reference_v<Value>, "toolwire: the work of post(...) returns a value, no reference");

  Posted(Executor&& executor, Work&& work)
      : executor_(std::forward<Executor>(executor)), work_(std::forward<Work>(work)) {}

  bool await_ready() const noexcept { return false; }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> waiting) {
    call_ = &waiting.promise().call();
    call_->run_next(waiting);
    // This object may be gone as soon as the work has been handed over.
    call_->wait([this, hand_over = handing_over(), stop = call_->stop_token()](const auto& pause) mutable {
      if (!stop.stop_requested()) {
        hand_over(std::function<void()>([this, pause] {
          if (!pause->begin_work()) return;
          run();
          pause->end();
        }));
      }
      pause->end_by(stop);
    });
  }
  Value await_resume() {
    if (thrown_) std::rethrow_exception(thrown_);
    if (!done_) call_->throw_if_broken();
    if constexpr (!std::is_void_v<Value>) return std::move(*value_);
  }

 private:
  struct Nothing {};
  using Stored = std::conditional_t<std::is_void_v<Value>, Nothing, Value>;

  auto handing_over() const {
    if constexpr (std::is_null_pointer_v<Executor>) {
      return [&later = call_->later()](std::function<void()> job) { later.post(std::move(job)); };
    } else {
      return executor_;
    }
  }

  void run() noexcept {
    try {
      if constexpr (std::is_void_v<Value>) {
        work_();
      } else {
        value_.emplace(work_());
      }
    } catch (...) {
      thrown_ = std::current_exception();
    }
    done_ = true;
  }

  Executor executor_;
  Work work_;
  std::optional<Stored> value_ = {};
  std::exception_ptr thrown_ = {};
  bool done_ = false;
  AsyncCall* call_ = nullptr;
};

template <class T>
inline constexpr bool is_awaited = std::is_same_v<T, Delay>;
template <class Work, class Executor>
inline constexpr bool is_awaited<Posted<Work, Executor>> = true;

template <class T>
class AsyncAwaiter;

/// What the coroutines of a call have in common.
class AsyncPromiseBase {
 public:
  AsyncPromiseBase() = default;
  AsyncPromiseBase(const AsyncPromiseBase&) = delete;
  AsyncPromiseBase& operator=(const AsyncPromiseBase&) = delete;

  struct End {
    bool await_ready() const noexcept { return false; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> ended) const noexcept {
      ended.promise().has_ended();
    }
    void await_resume() const noexcept {}
  };
  std::suspend_always initial_suspend() const noexcept { return {}; }
  End final_suspend() const noexcept { return {}; }
  void unhandled_exception() noexcept { thrown_ = std::current_exception(); }

  template <class T>
  AsyncAwaiter<T> await_transform(Async<T>&& other) const {
    return AsyncAwaiter<T>(std::move(other));
  }
  template <class Awaited>
  decltype(auto) await_transform(Awaited&& awaited) const {
    using Value = std::remove_cvref_t<Awaited>;
    constexpr bool is_kept = is_async<Value> && std::is_lvalue_reference_v<Awaited>;
    static_assert(!is_kept, "toolwire: an Async is awaited once: co_await std::move(it)");
    static_assert(is_kept || is_awaited<Value>,
                  "toolwire: an Async waits for another Async, for delay(...) and for post(...)");
    if constexpr (is_awaited<Value>) {
      return std::forward<Awaited>(awaited);
    } else {
      return std::suspend_never();  // so that the sentence is all there is to read
    }
  }

  /// Of whom it is, and who goes on after it; nobody: it is the tool.
  void run_for(AsyncCall& call, std::coroutine_handle<> next) noexcept {
    call_ = &call;
    next_ = next;
  }
  AsyncCall& call() const noexcept { return *call_; }
  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  void has_ended() const noexcept {
    if (next_) {
      call_->run_next(next_);
    } else {
      call_->is_done();
    }
  }

  AsyncCall* call_ = nullptr;
  std::coroutine_handle<> next_;
  std::exception_ptr thrown_;
};

template <class T>
class AsyncPromise : public AsyncPromiseBase {
 public:
  Async<T> get_return_object();
  template <class From = T>
  requires std::convertible_to<From&&, T>
  void return_value(From&& value) { value_.emplace(std::forward<From>(value)); }
  T take() {
    rethrow();
    return std::move(*value_);
  }

 private:
  std::optional<T> value_;
};

template <>
class AsyncPromise<void> : public AsyncPromiseBase {
 public:
  Async<void> get_return_object();
  void return_void() const noexcept {}
  void take() const { rethrow(); }
};

}  // namespace detail

/// A tool, or a part of one, that may wait and holds no thread meanwhile. In it one may `co_await` another Async,
/// `delay(...)` and `post(...)`; `co_return` a T, or throw, as a tool returns and throws:
///
///     server.tool("wait", "Wait", args("seconds"), [](int seconds) -> Async<std::string> {
///       co_await delay(std::chrono::seconds(seconds));
///       co_return "The time is over";
///     });
///
/// Runs on one thread at a time, which is another one after each wait, and where ServerOptions::executor says. Its
/// parameters are there until it ends, also `const Arguments&` and `Context&`, and so is what the lambda has captured;
/// beyond that the rules of coroutines hold: a coroutine that is no tool takes what it keeps by value. With GCC 12
/// objects made by braces inside of a co_await expression are destroyed twice: give them a name before. No
/// `thread_local` and no id of a thread: compilers remember them over a wait. To ask the user, return the questions
/// (Async<Outcome<T>>): the tool is called again with the answers.
///
/// A call that is to stop ends at its next wait, see Cancelled. One that is left when serving has ended is destroyed
/// where it stands, as are the objects in it.
template <class T = void>
class [[nodiscard]] Async {
  static_assert(!std::is_reference_v<T>, "toolwire: an Async returns a value, no reference");
  static_assert(!detail::ComesLater<T>, "toolwire: an Async of an Async or a future has nothing to show; co_await it");

 public:
  using promise_type = detail::AsyncPromise<T>;

  explicit Async(std::coroutine_handle<promise_type> coroutine) noexcept : coroutine_(coroutine) {}
  Async(Async&& other) noexcept : coroutine_(std::exchange(other.coroutine_, nullptr)) {}
  Async& operator=(Async&& other) noexcept {
    std::swap(coroutine_, other.coroutine_);
    return *this;
  }
  Async(const Async&) = delete;
  Async& operator=(const Async&) = delete;
  ~Async() {
    if (coroutine_) coroutine_.destroy();
  }

 private:
  friend class detail::AsyncAwaiter<T>;
  friend struct detail::LaterResult<Async>;

  /// Throws std::logic_error if it was awaited before.
  std::coroutine_handle<promise_type> begin(detail::AsyncCall& call, std::coroutine_handle<> next) const {
    if (!coroutine_ || coroutine_.done())
      throw std::logic_error("an Async that was moved away has nothing to wait for");
    coroutine_.promise().run_for(call, next);
    return coroutine_;
  }

  std::coroutine_handle<promise_type> coroutine_;
};

/// For `co_await` in an Async: goes on when the time is over.
inline detail::Delay delay(std::chrono::steady_clock::duration time) { return detail::Delay(time); }

/// For `co_await` in an Async: runs `work()` on a thread of the server meanwhile, and gives what it returns or throws.
/// For what computes or blocks for long, and for a tool whose server runs its tools on a thread of the program's own.
/// Work that has begun when the call is to stop is waited for; it may look at the context's stop token. What it needs
/// it refers to, `[&] { … }`, as the coroutine is there yet; work that holds objects of its own has a name.
template <class Work>
detail::Posted<Work, std::nullptr_t> post(Work&& work) {
  return {nullptr, std::forward<Work>(work)};
}
/// The same where `executor(std::function<void()>)` runs it: a thread or a loop of the program's own.
template <class Executor, class Work>
detail::Posted<Work, Executor> post(Executor&& executor, Work&& work) {
  return {std::forward<Executor>(executor), std::forward<Work>(work)};
}

namespace detail {

/// Owns what is awaited, so that it goes with the expression.
template <class T>
class AsyncAwaiter {
 public:
  explicit AsyncAwaiter(Async<T>&& awaited) : awaited_(std::move(awaited)) {}

  bool await_ready() const noexcept { return false; }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> waiting) {
    AsyncCall& call = waiting.promise().call();
    call.run_next(awaited_.begin(call, waiting));
  }
  T await_resume() { return awaited_.coroutine_.promise().take(); }

 private:
  Async<T> awaited_;
};

template <class T>
Async<T> AsyncPromise<T>::get_return_object() {
  return Async<T>(std::coroutine_handle<AsyncPromise>::from_promise(*this));
}
inline Async<void> AsyncPromise<void>::get_return_object() {
  return Async<void>(std::coroutine_handle<AsyncPromise>::from_promise(*this));
}

template <class T>
struct LaterResult<Async<T>> {
  using Value = T;

  template <class Arguments, class Start>
  static void begin(Reply reply, Context& context, Arguments arguments, const Start& start) {
    std::make_shared<Call<Arguments>>(std::move(reply), context, std::move(arguments))->begin(start);
  }

 private:
  template <class Arguments>
  class Call final : public AsyncCall {
   public:
    Call(Reply&& reply, Context& context, Arguments&& arguments)
        : AsyncCall(std::move(reply), context), arguments_(std::move(arguments)) {}

    template <class Start>
    void begin(const Start& start) {
      work_.emplace(start(arguments_));
      run_next(work_->begin(*this, nullptr));
      run();
    }

   private:
    AnyOutcome take_outcome() override {
      const Async<T> ended = std::move(*work_);
      work_.reset();
      return outcome_of_call<T>([&] { return ended.coroutine_.promise().take(); });
    }

    Arguments arguments_;
    std::optional<Async<T>> work_;
  };
};

/// The answer comes at most 32 ms, or an eighth of the time it has taken, after the future is ready: it is looked at
/// that often, and a look costs a wake-up. A deadline and a cancellation are answered all the same at once. What nobody
/// waits for any more goes on, as nothing can end it, and what it was called with is there until it is ready; so the
/// end of a server does not wait for it. A deferred one runs in the place of the tool.
template <class T>
struct LaterResult<std::future<T>> {
  using Value = T;
  static_assert(!std::is_reference_v<T>, "toolwire: the future of a tool holds a value, no reference");
  static_assert(!ComesLater<T>, "toolwire: a future of an Async or a future has nothing to show");

  template <class Arguments, class Start>
  static void begin(Reply reply, Context& context, Arguments arguments, const Start& start) {
    Call<Arguments>::make(std::move(reply), context, std::move(arguments))->begin(start);
  }

 private:
  template <class Arguments>
  class Call final : public FutureCall {
   public:
    static std::shared_ptr<Call> make(Reply&& reply, Context& context, Arguments&& arguments) {
      return owned(new Call(std::move(reply), context, std::move(arguments)));
    }

    template <class Start>
    void begin(const Start& start) {
      future_ = start(arguments_);
      look();
    }

   private:
    Call(Reply&& reply, Context& context, Arguments&& arguments)
        : FutureCall(std::move(reply), context), arguments_(std::move(arguments)) {}

    bool is_ready() const override {
      return !future_.valid() || future_.wait_for(std::chrono::seconds(0)) != std::future_status::timeout;
    }
    AnyOutcome take_outcome() override {
      std::future<T> ready = std::move(future_);
      return outcome_of_call<T>([&] { return ready.get(); });
    }

    Arguments arguments_;
    std::future<T> future_;
  };
};

}  // namespace detail
}  // namespace toolwire
