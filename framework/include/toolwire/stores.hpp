// What the calls of a server share: used nonces, rates, cut outputs, and what clients are told of. Implement one of
// these stores to share it between several processes, or to keep it elsewhere than in memory; tasks have a store of
// their own, see task_store.hpp.
// Independent of tools, requests and the wire.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

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

  /// The same for a member function of `receiver`, which is kept alive until then. Allocates nothing.
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

  /// Gives the answer. Only the first call of this and `fail` does anything.
  void operator()(T value) { finish(Result(std::in_place_index<0>, std::move(value))); }
  /// Says that there is no answer, and why.
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

// All stores are thread-safe. None of their functions waits: the answer goes to its Done, at once or later. Texts that
// are handed in as views live until the function has returned. A request that waits for a store holds no thread, and
// can be cancelled or reach its deadline meanwhile.

/// Whether a nonce was used for the first time.
enum class NonceUse { first, again };

/// Remembers which nonces (random texts that count once) have been used.
class NonceStore {
 public:
  virtual ~NonceStore() = default;
  /// Uses up a nonce: of all who ever ask for the same, in whatever process, exactly one is told `first`. From
  /// `expires` on it would be refused anyway, and may be forgotten. A store that has no room to remember it says
  /// `again`.
  virtual void use(std::string_view nonce, std::chrono::system_clock::time_point expires, Done<NonceUse> done) = 0;
};

/// Counts the calls of the last minute for each key, such as the name of a tool.
class RateStore {
 public:
  using Wait = std::optional<std::chrono::milliseconds>;

  virtual ~RateStore() = default;
  /// How long until another call is allowed; no value if it is allowed now. `per_minute`: 1 or more.
  virtual void look(const std::string& key, std::int64_t per_minute, Done<Wait> done) = 0;
  /// The same, and counts the call if it is allowed.
  virtual void charge(const std::string& key, std::int64_t per_minute, Done<Wait> done) = 0;
};

/// Keeps texts that were too long for a result for a while, so that the rest of them can be read.
class OutputStore {
 public:
  virtual ~OutputStore() = default;
  /// Keeps a text and answers with an id that nobody can guess: letters, digits, '-' and '_'. Answers with an empty id
  /// if there is no room for the text.
  virtual void keep(std::string_view text, Done<std::string> done) = 0;
  /// The text with this id; null if there is none, or no longer.
  virtual void find(std::string_view id, Done<std::shared_ptr<const std::string>> done) = 0;
};

/// Something that clients are told of, whichever server of several they are connected to; or what one of the servers
/// has for another: what a client has said (`client_message`), and that whoever runs a task has something to look at
/// (`task_wake_up`). A plain value.
struct Event {
  enum class Kind : std::uint8_t {
    tools_list,
    prompts_list,
    resources_list,
    resource_updated,
    task,
    client_message,
    task_wake_up
  };
  Kind kind = Kind::tools_list;
  /// The URI of a resource, the id of a task, the session of a client's message; empty for lists.
  std::string subject = {};
  /// Further members of the notification's params, as JSON text without braces; of a client's message, which is nobody
  /// else's business, who has sent it and its text.
  std::string params = {};

  bool operator==(const Event&) const = default;
};

/// Carries events between the servers that are one to their clients.
class EventBus {
 public:
  /// What a server does with events. From any thread, one at a time; must not wait, nor end its own membership.
  struct Hearing {
    std::function<void(const Event&)> heard = {};  ///< What another has told.
    std::function<void()> missed = {};             ///< The bus was away, so others may have told what is lost.
  };
  /// A server on the bus, until this is destroyed, which waits for what it hears at the moment.
  class Member {
   public:
    virtual ~Member() = default;
    /// Tells all others, soon. Does not wait; what cannot be told is lost.
    virtual void tell(const Event& event) = 0;
  };

  virtual ~EventBus() = default;
  /// Thread-safe, and so are the members.
  virtual std::unique_ptr<Member> join(Hearing hearing) = 0;
};

// Stores in the memory of this process. They answer at once and allocate nothing but what they keep.

/// `bound`: how many nonces are remembered at the same time.
std::shared_ptr<NonceStore> memory_nonce_store(std::size_t bound = 65'536);
std::shared_ptr<RateStore> memory_rate_store();
/// `room`: how many bytes of text are kept; the oldest texts are dropped first. 0: nothing is kept.
std::shared_ptr<OutputStore> memory_output_store(std::size_t room);
/// Between servers of this process. It tells at once, on the thread that tells.
std::shared_ptr<EventBus> memory_event_bus();

/// The stores of a server. If one cannot be used (Done::fail), the request fails with the code `unavailable`; a text
/// that cannot be kept is cut nevertheless.
struct Stores {
  /// Answers that count once (ToolInfo::single_use_answers). Empty: a file that all processes of this user share.
  std::shared_ptr<NonceStore> used_answers = {};
  /// Remembers which calls have come again with answers: such a call was counted when it began and is free now, but
  /// only once. Empty: in memory.
  std::shared_ptr<NonceStore> continuations = {};
  std::shared_ptr<RateStore> rates = {};      // ToolInfo::rate_per_minute; empty: in memory
  std::shared_ptr<OutputStore> outputs = {};  // empty: in memory, as much as ServerOptions::kept_output
  /// What others tell reaches the clients of this server too, and theirs hear what this one tells once it has had a
  /// client. After a time without the bus all lists count as changed, and open subscriptions end, so that clients look
  /// again. Empty: clients hear of this server only.
  std::shared_ptr<EventBus> events = {};
};

}  // namespace toolwire
