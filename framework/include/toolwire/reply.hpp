// The handle of a tool that answers later.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "toolwire/result.hpp"

namespace toolwire {

/// Answers one call, once, from any thread. Move-only; destroyed without an answer it answers with an error, so nothing
/// is lost. It keeps the call and its Context alive. Deadline, cancellation, middleware and output checks apply as to
/// any other tool; an answer that comes after the call was cancelled or timed out is dropped.
class Reply {
 public:
  using Send = std::function<void(AnyOutcome&&)>;

  explicit Reply(Send send);
  Reply(Reply&& other) noexcept : send_(std::exchange(other.send_, nullptr)), exceptions_(other.exceptions_) {}
  Reply& operator=(Reply&& other) noexcept;
  Reply(const Reply&) = delete;
  Reply& operator=(const Reply&) = delete;
  ~Reply();

  /// Answers with a value as if the tool had returned it. A second answer is ignored.
  template <class T>
  void operator()(T&& value) {
    send(to_outcome(std::forward<T>(value)));
  }
  /// Answers with a result that has `isError`.
  void error(std::string text) { send(ToolResult::error(std::move(text))); }
  /// Gives up the duty to answer: somebody else has it now.
  void release() { send_ = nullptr; }

 private:
  void send(AnyOutcome&& outcome);
  void drop() noexcept;

  Send send_;
  int exceptions_;  // in flight when it was made: destroyed by a further one, the catcher answers with what was thrown
};

}  // namespace toolwire
