// What the calls of a server share, and what several processes may share: used nonces, rates, cut outputs. Implement
// one of these to keep it elsewhere than in this process; tasks have a store of their own, see task_store.hpp. Knows
// nothing of tools, requests or the wire.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "toolwire/rate_window.hpp"

namespace toolwire {

/// Takes the answer of a store, which may come later. A store calls it once, from any thread, before or after the
/// function that it was given to has returned, and with no lock held: what waits may continue inside the call.
/// Move-only. Dropped without a call it reports a failure, so nothing waits forever.
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

// All stores: thread-safe. No function waits; what it comes to goes to its Done, at once or later. Texts that are
// handed in as views live until the function has returned. A request that waits for a store holds no thread, and can
// be cancelled or reach its deadline meanwhile.

enum class NonceUse { first, again };

/// Which nonces have been used.
class NonceStore {
 public:
  virtual ~NonceStore() = default;
  /// Uses up a nonce, which is not accepted from `expires` on: of all who ever ask, exactly one is told that it is the
  /// first. A store that cannot remember any more says `again`.
  virtual void use(std::string_view nonce, std::chrono::system_clock::time_point expires, Done<NonceUse> done) = 0;
};

/// How many calls of each key there were in the last minute.
class RateStore {
 public:
  using Wait = RateWindow::Wait;

  virtual ~RateStore() = default;
  /// How long until a call is allowed; nothing if one is allowed now.
  virtual void look(const std::string& key, std::int64_t per_minute, Done<Wait> done) = 0;
  /// The same, and counts the call if it is allowed.
  virtual void charge(const std::string& key, std::int64_t per_minute, Done<Wait> done) = 0;
};

/// Texts that were too long for a result, kept for a while so that they can be read on.
class OutputStore {
 public:
  virtual ~OutputStore() = default;
  /// Keeps a text under an unguessable id: letters, digits, '-' and '_'. An empty id: there is no room for
  /// it.
  virtual void keep(std::string_view text, Done<std::string> done) = 0;
  /// Null if there is no such text, or no more.
  virtual void find(std::string_view id, Done<std::shared_ptr<const std::string>> done) = 0;
};

// In the memory of this process. They answer at once and, but for what they keep, allocate nothing.

/// `bound`: nonces that are remembered at once.
std::shared_ptr<NonceStore> memory_nonce_store(std::size_t bound = 65'536);
std::shared_ptr<RateStore> memory_rate_store();
/// `room` in bytes of text: the oldest texts go first. 0: nothing is kept.
std::shared_ptr<OutputStore> memory_output_store(std::size_t room);

/// The stores of a server. Where one cannot be used a request fails with the code `unavailable`; a text that cannot be
/// kept is cut all the same.
struct Stores {
  /// Answers that count once (ToolInfo::single_use_answers). Empty: a file that all processes of this user share.
  std::shared_ptr<NonceStore> used_answers = {};
  /// Calls that come again with answers were charged when they began, and are free once. Empty: in memory.
  std::shared_ptr<NonceStore> continuations = {};
  std::shared_ptr<RateStore> rates = {};      // ToolInfo::rate_per_minute; empty: in memory
  std::shared_ptr<OutputStore> outputs = {};  // empty: in memory, as much as ServerOptions::kept_output
};

}  // namespace toolwire
