// Who makes a request: asked of the program (Port::authenticate), and answered at once, later, or never.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "refusal.hpp"
#include "toolwire/detail/mutex.hpp"
#include "toolwire/http/listen.hpp"

namespace toolwire::http {

/// Thread-safe, but `ask`, `take` and `drop` are for one thread at a time. One question after the other.
class CallerQuestion : public std::enable_shared_from_this<CallerQuestion> {
 public:
  struct Answer {
    Principal principal = {};
    std::optional<Refusal> refused = {};  // then it is nobody
  };

  /// Unless the answer is there when this returns, `when_answered` is called with it, from any thread. `head` lives
  /// until this returns.
  void ask(const Authenticate& authenticate, const Request& head, std::function<void()> when_answered);
  /// Asked, and not answered.
  bool is_open() const;
  /// The answer, once.
  std::optional<Answer> take();
  /// It is not waited for any more.
  void drop();

  /// What somebody is told where there is no answer.
  static Refusal refusal_without_answer();

 private:
  void on_result(std::uint64_t number, Done<Principal>::Result&& result);

  mutable Mutex mutex_;
  std::uint64_t number_ TOOLWIRE_GUARDED_BY(mutex_) = 0;  // of the question, so that a late answer is to none
  bool is_open_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  std::optional<Answer> answer_ TOOLWIRE_GUARDED_BY(mutex_);
  std::function<void()> when_answered_ TOOLWIRE_GUARDED_BY(mutex_);  // empty while `ask` goes on
};

}  // namespace toolwire::http
