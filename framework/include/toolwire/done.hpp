// Takes the answer to a question that may be answered later. Independent of what asks.
#pragma once

#include <exception>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>

namespace toolwire {

/// Called once, from any thread, before or after the function has returned that it was given to, and with no lock held:
/// what waits may continue inside it. Move-only. Dropped without a call it reports a failure, so nothing waits forever.
template <class T>
class Done {
 public:
  /// The answer, or why there is none.
  using Result = std::variant<T, std::exception_ptr>;

  /// Hands the result to a function `void(Result&&)`, which must not throw.
  template <class Use>
  requires std::is_invocable_v<Use&, Result&&>
  explicit Done(Use use)
      : receiver_(std::make_shared<Use>(std::move(use))),
        hand_over_([](void* receiver, Result&& result) { (*static_cast<Use*>(receiver))(std::move(result)); }) {}

  /// Hands it to a member function of `receiver`, which is kept until then. Allocates nothing.
  template <auto member, class Receiver>
  static Done to(std::shared_ptr<Receiver> receiver) {
    return Done(std::move(receiver),
                [](void* object, Result&& result) { (static_cast<Receiver*>(object)->*member)(std::move(result)); });
  }

  Done(Done&& other) noexcept : receiver_(std::move(other.receiver_)), hand_over_(other.hand_over_) {}
  Done& operator=(Done&& other) noexcept {
    Done old(std::move(*this));
    receiver_ = std::move(other.receiver_);
    hand_over_ = other.hand_over_;
    return *this;
  }
  Done(const Done&) = delete;
  Done& operator=(const Done&) = delete;
  ~Done() {
    if (receiver_) fail(std::make_exception_ptr(std::runtime_error("it was given up without an answer")));
  }

  /// A second call does nothing.
  void operator()(T value) { finish(Result(std::in_place_index<0>, std::move(value))); }
  void fail(std::exception_ptr why) { finish(Result(std::in_place_index<1>, std::move(why))); }

 private:
  using HandOver = void (*)(void* receiver, Result&& result);
  Done(std::shared_ptr<void> receiver, HandOver hand_over) : receiver_(std::move(receiver)), hand_over_(hand_over) {}

  void finish(Result&& result) {
    if (const auto receiver = std::exchange(receiver_, nullptr)) hand_over_(receiver.get(), std::move(result));
  }

  std::shared_ptr<void> receiver_;
  HandOver hand_over_;
};

}  // namespace toolwire
