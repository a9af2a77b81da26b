// What leaves on the protocol stream: whole lines, first in first out, many in one write. Independent of what
// they say.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "toolwire/detail/condition_variable.hpp"
#include "toolwire/detail/mutex.hpp"
#include "toolwire/limits.hpp"
#include "toolwire/transport.hpp"

namespace toolwire::engine {

/// The only writer of a transport. Thread-safe: any thread appends; one thread at a time writes, and writes what the
/// others append meanwhile. Nothing appended is lost unless the peer is gone.
class SendQueue {
 public:
  /// Both are called by a flush, without any lock: `on_stalled` when one that may not wait had to leave bytes behind or
  /// has found the peer gone, `on_caught_up` when it has brought the output below its soft bound again. What the latter
  /// appends is flushed, too.
  SendQueue(Transport& transport, const Limits& limits, std::function<void()> on_stalled,
            std::function<void()> on_caught_up = {});

  /// Appends a line without its line feed. Never waits. A large line is taken, not copied, when nothing is ahead of it
  /// or it is very large; else `line` keeps its text and its memory. Needs memory for the line only, however much is
  /// ahead of it. Throws std::bad_alloc, and appends nothing.
  void append(std::string&& line);
  void append(std::string_view line);

  /// Writes what is ready, unless another thread is writing. With Blocking::no, only what is accepted without waiting.
  void flush(Transport::Blocking blocking);

  /// Nothing more is written than what a writer is at work on, and nothing is taken. Does not wait.
  void drop();

  /// The session is over: waits for a writer that is at work, then lets the transport go. What is appended later is
  /// dropped.
  void close();

  std::size_t pending() const { return pending_bytes_.load(std::memory_order_relaxed); }
  bool empty() const { return pending() == 0; }
  bool above_soft() const { return pending() > soft_; }
  bool above_hard() const { return pending() > hard_; }
  bool peer_gone() const { return gone_.load(std::memory_order_relaxed); }

  /// Holds back a tool that produces faster than the client reads, until it has caught up or the call is to stop.
  void wait_below_soft(const std::stop_token& stop);

 private:
  enum class Flushed { all, some, caught_up };

  void append_locked(std::string_view line) TOOLWIRE_REQUIRES(mutex_);
  void set_ready_aside() TOOLWIRE_REQUIRES(mutex_);
  bool is_any_ready() const TOOLWIRE_REQUIRES(mutex_) { return !ready_.empty() || !aside_.empty(); }
  Flushed write_ready(Transport::Blocking blocking);
  void refill_active() TOOLWIRE_REQUIRES(mutex_);
  bool note_written(std::ptrdiff_t count, std::size_t piece) TOOLWIRE_REQUIRES(mutex_);
  void drop_everything() TOOLWIRE_REQUIRES(mutex_);

  Transport& transport_;
  const std::size_t soft_;
  const std::size_t hard_;
  std::function<void()> on_stalled_;
  std::function<void()> on_caught_up_;
  Mutex mutex_;
  StoppableConditionVariable below_soft_;
  ConditionVariable written_all_;
  std::string ready_ TOOLWIRE_GUARDED_BY(mutex_);               // lines, not yet taken by a writer
  std::vector<std::string> aside_ TOOLWIRE_GUARDED_BY(mutex_);  // the same, to be written before it: too large to grow
  std::string active_ TOOLWIRE_GUARDED_BY(mutex_);              // being written; owned by the writer
  std::size_t written_ TOOLWIRE_GUARDED_BY(mutex_) = 0;         // of active_
  bool writing_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  bool closing_ TOOLWIRE_GUARDED_BY(mutex_) = false;    // a thread waits for the writer
  bool caught_up_ TOOLWIRE_GUARDED_BY(mutex_) = false;  // and this has not been reported yet
  std::atomic<std::size_t> pending_bytes_{0};
  std::atomic<bool> gone_{false};
};

}  // namespace toolwire::engine
