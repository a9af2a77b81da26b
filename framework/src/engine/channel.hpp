// What an engine keeps for one peer: its source, its output, the jobs that wait. The rest of the program reaches the
// engine through it. Independent of what is said on it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <stop_token>

#include "engine/job.hpp"
#include "engine/send_queue.hpp"
#include "engine/source.hpp"
#include "engine/timers.hpp"

namespace toolwire::engine {

class Engine;

/// Thread-safe. May outlive its peer, then it takes nothing any more. Whoever uses it sees to it that the output is
/// there.
class Channel {
 public:
  /// For Engine::attach. Source and output are used until the channel is over.
  Channel(std::shared_ptr<Engine> engine, Source& source, SendQueue& output);
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  ~Channel();

  /// Marks that bytes have arrived: the driver is at work now. Only inside Source::wait_and_read.
  void turn_begins();
  /// Queues a job from inside a function of the source. `bytes`: what it holds in memory while it waits.
  void enqueue(std::shared_ptr<Job> job, std::size_t bytes);
  /// Has a thread look for jobs that were queued outside of a function of the source.
  void wake_for_jobs();
  /// Tells that a job may be over; such jobs leave the queue (in sweeps, so that a storm of them stays cheap).
  void job_over();
  /// Queues a piece of work from anywhere else.
  void post(std::function<void()> work);
  /// Bytes held by queued jobs.
  std::size_t queued_bytes() const { return queued_bytes_.load(std::memory_order_relaxed); }

  /// Writes what a thread outside of the engine has appended, without waiting; inside this happens by itself.
  void flush_from_outside();
  /// The output could not take everything without waiting, or its peer is gone: for SendQueue.
  void output_stalled();
  /// The output has come below its soft bound: jobs may begin again, and the source may be read. For SendQueue;
  /// whoever has written says so, which may be a thread outside of the engine.
  void output_caught_up();

  /// Holds back a tool that produces faster than the peer reads, until it has caught up or the call is to stop; where
  /// there is no other thread to write, does nothing.
  void wait_for_room(const std::stop_token& stop);
  /// Whether there are other threads than the one that waits.
  bool may_wait() const;

  /// Runs `what` on the thread of the monitor at `when`, or of who pumps the engine; see Timers. Never runs if there is
  /// neither, or if the channel has ended by then.
  Timers::Handle at(Timers::Clock::time_point when, std::function<void()> what);
  void forget(const Timers::Handle& timer);
  /// Whether there is anybody for `at`.
  bool has_timers() const;

 private:
  friend class Engine;
  enum class Phase { serving, draining, stopping, over };
  struct Work {
    std::shared_ptr<Job> job;
    std::size_t bytes;
  };

  /// Modulo 2^n, so that the negative of a size takes it away.
  void change_queued_bytes(std::size_t by) { queued_bytes_.store(queued_bytes() + by, std::memory_order_relaxed); }
  bool wants_flush() const { return !output_.empty() && !waits_for_room_; }
  bool may_begin_jobs() const { return !queue_.empty() && (!output_.above_soft() || phase_ == Phase::stopping); }
  bool is_used() const { return busy_ > 0 || users_ > 0 || is_read_ || is_parsed_; }

  const std::shared_ptr<Engine> engine_;
  SendQueue& output_;
  std::atomic<std::size_t> queued_bytes_{0};  // changed under the mutex of the engine only, as all that follows
  Source* source_;
  std::shared_ptr<void> keeps_;  // see Engine::attach
  std::deque<Work> queue_;
  std::size_t over_ = 0;  // jobs, since the last sweep
  std::uint64_t id_ = 0;
  std::uint64_t busy_ = 0;   // jobs that run
  std::uint64_t users_ = 0;  // other threads of the engine that must find it when they are done
  std::int64_t credit_ = 0;  // nanoseconds of jobs, see Engine::take_turn
  Phase phase_ = Phase::serving;
  bool input_over_ = false;
  bool armed_ = true;                // to be read
  bool paused_ = false;              // not to be read before the output has caught up: only a hang-up is waited for
  bool rests_ = false;               // not to be read before rest_ends_
  bool hung_up_ = false;             // seen while it was paused: what was sent is read, however much is unsent
  bool is_read_ = false;             // by a thread
  bool is_parsed_ = false;           // its large message is, or waits for that
  bool waits_for_room_ = false;      // in the output
  bool must_wait_to_write_ = false;  // its output cannot be waited for together with others
  bool pollable_ = false;
  std::chrono::steady_clock::time_point phase_ends_{};
  std::chrono::steady_clock::time_point rest_ends_{};
  std::size_t pending_seen_ = 0;                          // at the last look at the phase …
  std::chrono::steady_clock::time_point output_moved_{};  // … and when there was another number
};

}  // namespace toolwire::engine
