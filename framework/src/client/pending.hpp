// Requests of ours that wait for an answer, and the table that finds them by id. Independent of
// the wire.
#pragma once

#include <toolwire/client.hpp>
#include <toolwire/json.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "toolwire/detail/condition_variable.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::client {

using Clock = std::chrono::steady_clock;

/// Why there is no result. A value rather than an exception, since many threads may wait for it.
struct Failure {
  enum class Kind { refused, timed_out, cancelled, lost };
  Kind kind = Kind::lost;
  std::string text = {};
  int code = 0;    // if refused
  Json data = {};  // if refused

  /// Throws ProtocolError, TimeoutError, CancelledError or ConnectionError.
  [[noreturn]] void raise() const;
  /// What `raise` throws, as a pointer.
  [[nodiscard]] std::exception_ptr exception() const;
};

/// One request until its answer. Thread-safe once it is in the table; the functions are set before that.
class Pending {
 public:
  using Outcome = std::variant<Json, Failure>;

  std::function<void(const ProgressReport&)> on_progress = {};
  /// Sees the result first, in the reading thread; true if it took it and there is more to come.
  std::function<bool(Json&)> intercept = {};
  /// Sees the notifications of a subscription, in the reading thread.
  std::function<void(const std::string& method, const Json& params)> on_notification = {};
  /// Called once there is an outcome, by the thread that brings it.
  std::function<void()> on_done = {};
  /// Whether the result has to come after the reports of progress; see Connection.
  bool in_order = false;

  /// The id on the wire; changes when a call is repeated with the user's answers.
  std::atomic<std::int64_t> id = 0;
  /// No answer to this id is awaited: it was never sent, or what it was answered with goes on in other ways.
  std::atomic<bool> awaits_no_answer = false;

  /// The first outcome counts. Returns whether this was it.
  bool complete(Outcome outcome);
  [[nodiscard]] bool is_done() const;
  /// False if there is no outcome by then.
  bool wait_until(Clock::time_point deadline);
  void wait();
  /// The result; throws what the request ended with. Only once done.
  [[nodiscard]] Json result() const;
  /// The outcome itself, for the only one who wants it. Only once done, and once.
  [[nodiscard]] Outcome take_outcome();

 private:
  mutable Mutex mutex_;
  ConditionVariable done_;
  std::optional<Outcome> outcome_ TOOLWIRE_GUARDED_BY(mutex_);
};

/// Thread-safe.
class PendingTable {
 public:
  /// Gives the request an id, in place of the one it had. Throws ConnectionError once the table is closed.
  std::int64_t add(const std::shared_ptr<Pending>& pending);
  /// Null if there is none.
  std::shared_ptr<Pending> find(std::int64_t id) const;
  std::shared_ptr<Pending> take(std::int64_t id);
  /// The same where the server has answered it.
  std::shared_ptr<Pending> take_answered(std::int64_t id);
  /// To be called before and after writing what is no request, and when a request is given up: a server may still send
  /// an error without an id for that, until it answers what is asked later.
  void note_other_line();
  /// The request that an error without an id is for, as it can be for nothing else: the only one that awaits an answer,
  /// with nothing noted since. Else null.
  std::shared_ptr<Pending> only_one_to_fail() const;
  /// Puts back an entry that was taken, under the same id.
  void put_back(const std::shared_ptr<Pending>& pending);
  /// Whether a request is open that does not see notifications.
  [[nodiscard]] bool awaits_answer() const;
  /// Those that see notifications.
  std::vector<std::shared_ptr<Pending>> listening() const;

  /// Ends all requests, now and later, with ConnectionError.
  void close(const std::string& reason);
  struct Closed {
    std::string reason;
    Clock::time_point when;
  };
  /// Nothing while it is open.
  [[nodiscard]] std::optional<Closed> closed() const;

 private:
  mutable Mutex mutex_;
  std::unordered_map<std::int64_t, std::shared_ptr<Pending>> by_id_ TOOLWIRE_GUARDED_BY(mutex_);
  std::int64_t next_id_ TOOLWIRE_GUARDED_BY(mutex_) = 1;
  std::int64_t newest_answered_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  std::int64_t after_other_line_ TOOLWIRE_GUARDED_BY(mutex_) = 0;  // the first id that it was surely sent before
  std::optional<Closed> closed_ TOOLWIRE_GUARDED_BY(mutex_);
};

}  // namespace toolwire::client
