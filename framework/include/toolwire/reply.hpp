// The handle of a function that answers later: a tool, a resource, a prompt. Independent of calls; the traits of the
// outcome define what an answer is and what becomes of an error.
#pragma once

#include <exception>
#include <functional>
#include <string>
#include <utility>

#include "toolwire/detail/reply_traits.hpp"
#include "toolwire/result.hpp"

namespace toolwire {

/// Answers one request, once, from any thread. Move-only; destroyed without an answer it answers with an error, so
/// nothing is lost. It keeps the request and its Context alive. Deadline, cancellation, middleware and output checks
/// apply as to any other request; an answer that comes after the request was cancelled or timed out is dropped.
template <class Outcome>
class BasicReply {
 public:
  using Send = std::function<void(Outcome&&)>;

  explicit BasicReply(Send send) : send_(std::move(send)), exceptions_(std::uncaught_exceptions()) {}
  BasicReply(BasicReply&& other) noexcept
      : send_(std::exchange(other.send_, nullptr)), exceptions_(other.exceptions_) {}
  BasicReply& operator=(BasicReply&& other) noexcept {
    if (this != &other) {
      drop();
      send_ = std::exchange(other.send_, nullptr);
      exceptions_ = other.exceptions_;
    }
    return *this;
  }
  BasicReply(const BasicReply&) = delete;
  BasicReply& operator=(const BasicReply&) = delete;
  ~BasicReply() { drop(); }

  /// Answers with a value as if the function had returned it, or with a ProtocolError as if it had thrown it. A second
  /// answer is ignored.
  template <class T>
  void operator()(T&& value) {
    send(detail::ReplyTraits<Outcome>::outcome_of(std::forward<T>(value)));
  }
  /// Answers with an error: a tool with a result that has `isError`, others with a JSON-RPC error (-32603).
  void error(std::string text) { send(detail::ReplyTraits<Outcome>::error(std::move(text))); }
  /// Gives up the duty to answer without answering, because another Reply has it now.
  void release() { send_ = nullptr; }

 private:
  void send(Outcome&& outcome) {
    if (Send answer = std::exchange(send_, nullptr)) answer(std::move(outcome));
  }
  void drop() noexcept {
    if (!send_ || std::uncaught_exceptions() > exceptions_) return;
    try {
      send(detail::ReplyTraits<Outcome>::dropped());
    } catch (...) {  // out of memory: the call itself still notices that nobody holds it any more
    }
  }

  Send send_;
  int exceptions_;  // in flight when it was made: destroyed by a further one, the catcher answers with what was thrown
};

/// The handle of a tool.
using Reply = BasicReply<AnyOutcome>;
extern template class BasicReply<AnyOutcome>;

}  // namespace toolwire
