// Decides who continues after an answer that may come at once or later: the side that asked, if the answer came
// while it was still asking, else the side that answers. So nothing continues inside a store that answers at once, and
// nothing is allocated then.
#pragma once

#include <atomic>

namespace toolwire::detail {

/// One question at a time. What is written before `answered` is seen after `is_answered`.
class Turn {
 public:
  void begins() { state_.store(State::asking, std::memory_order_relaxed); }

  /// For the side that answers, once. True if the side that asked no longer waits for it there: it must be called.
  bool answered() { return state_.exchange(State::answered, std::memory_order_acq_rel) == State::left; }

  /// For the side that asked, once, when the function it asked with has returned. False if the answer comes later.
  bool is_answered() {
    State asking = State::asking;
    return !state_.compare_exchange_strong(asking, State::left, std::memory_order_acq_rel);
  }

 private:
  enum class State : unsigned char { asking, answered, left };
  std::atomic<State> state_{State::asking};
};

}  // namespace toolwire::detail
