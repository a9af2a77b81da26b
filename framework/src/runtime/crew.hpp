// The threads of a session and their three roles (design: a driver that is replaced when it is stuck). Knows nothing of
// JSON, methods or tools: it reads through one function, runs pieces of work, and keeps the output moving.
//
// * The driver reads, hands protocol messages to the session, then runs queued work one after the other on its own
// thread, writes
//   what is ready with one write, and reads again: no hand-off on the common path.
// * The monitor wakes every millisecond while there is something to watch, else not at all. When the driver has not
// come back to
//   read for a millisecond because it is inside a piece of work or a write, it gives the driver's role to another
//   thread. The old driver finishes what it is in, sees that the epoch has moved on, and becomes an ordinary member.
// * Everyone else waits, or takes work from the queue once it has been shown to be slow.
//
// Rejected: a reader that hands every call to a pool (two context switches a call, four times the round trip), and
// several threads in epoll_wait on the input (an extra system call a message, and wake-ups are easily lost).
//
// tests/model has a model of it, of which all states are searched: what changes here changes there.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "runtime/job.hpp"
#include "runtime/output.hpp"
#include "runtime/timers.hpp"
#include "system/wake_up.hpp"

namespace toolwire::runtime {

/// Thread-safe unless a function says otherwise. One per session; `run` ends before it is destroyed.
class Crew {
 public:
  enum class Turn { more, other, interrupted, ended };

  struct Steps {
    // Reads once, may block; calls `turn_begins` once bytes are there, or else `other_turn_begins`; only the driver.
    std::function<Turn()> read;
    std::function<bool()> all_answered;         // no accepted call is waiting for its answer
    std::function<void()> cancel_all;           // cancels what is in flight
    std::function<void()> interrupt_read;       // makes a blocked `read` return
    std::function<bool()> input_closed;         // asked while reading is paused by back-pressure
    std::function<void()> reading_pauses = {};  // by back-pressure; with a lock held. May be empty
    std::function<void()> at_rest = {};         // nothing has come for a while; with a lock held. May be empty
    std::function<void()> abandon;  // the end is due but work will not stop; may leave the process. May be empty
  };
  struct Settings {
    unsigned threads = 8;  // pieces of work at once; 0: all on the thread that calls `run`, without a monitor
    std::chrono::milliseconds drain{1000};
    std::chrono::milliseconds grace{60};  // between telling work to stop and abandoning it
    bool take_signals = false;            // SIGTERM and SIGINT, which the caller has blocked in all threads
  };

  Crew(Output& output, Steps steps, Settings settings);
  ~Crew();

  /// Works until the end of input or a signal, and all is written or given up. Returns on the calling thread.
  void run();

  /// Queues a job from inside `Steps::read`. `bytes`: what it holds in memory while it waits.
  void enqueue(std::shared_ptr<Job> job, std::size_t bytes);
  /// Tells that a job may be over; such jobs leave the queue (in sweeps, so that a storm of them stays cheap).
  void job_over();
  /// Queues a piece of work from anywhere else.
  void post(std::function<void()> work);
  /// Bytes held by queued work.
  std::size_t queued_bytes() const { return queued_bytes_.load(std::memory_order_relaxed); }

  /// Marks that bytes have arrived: the driver is at work now. Only inside `Steps::read`.
  void turn_begins();
  /// The same for bytes that are not this session's: what they bring may take its time, somebody else reads then. The
  /// turn is Turn::other.
  void other_turn_begins();

  /// Writes what a thread outside of the crew has appended, without waiting; inside the crew this happens by itself.
  void flush_from_outside();
  /// Has a member of the crew write what is pending.
  void flush_soon();
  /// The output has come below its soft bound: work may begin again, and the driver may read. Whoever has written, says
  /// so: that may be a thread outside of the crew.
  void output_caught_up();

  /// Runs `what` on the monitor's thread at `when`; see Timers. Never runs if there is no monitor.
  Timers::Handle at(Timers::Clock::time_point when, std::function<void()> what);
  void forget(const Timers::Handle& timer) { timers_.cancel(timer); }

  /// Cancels everything and ends soon.
  void stop();

 private:
  enum class Driver { none, reading, handling, outside, paused };
  enum class Phase { serving, draining, stopping };
  struct Work {
    std::shared_ptr<Job> job;
    std::size_t bytes;
  };
  using Lock = std::unique_lock<std::mutex>;

  /// Under the mutex. Counts modulo 2^n, so that the negative of a size takes it away.
  void change_queued_bytes(std::size_t by) { queued_bytes_.store(queued_bytes() + by, std::memory_order_relaxed); }
  void work(Lock& lock);
  void drive(Lock& lock);
  bool drive_once(Lock& lock, std::uint64_t mine);
  bool read_once(Lock& lock, std::uint64_t mine);
  void begin_turn();
  void input_ended();
  void run_next(Lock& lock);
  void flush(Lock& lock);
  bool may_take_work() const;
  bool has_spare() const { return settings_.threads == 0 || waiting_ > waking_ || members_.size() + 1 < max_members_; }
  void wake_one();
  void wake_all();
  void member();

  void monitor();
  void tick(Lock& lock);
  void replace_driver_if_stuck();
  void advance_phase(Lock& lock);
  bool is_phase_over();
  void begin_stop(Lock& lock);
  void cancel_all(Lock& lock);
  void finish();
  bool nothing_left() const;
  void wait_without_monitor(Lock& lock);
  int sleep_time() const;

  Output& output_;
  const Steps steps_;
  const Settings settings_;
  const std::size_t max_members_;
  Timers timers_;
  system::WakeUp wake_up_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;   // members that have nothing to do
  std::condition_variable may_read_;  // a driver that is paused: it must not take a wake-up that is meant for a member
  std::deque<Work> queue_;
  std::atomic<std::size_t> queued_bytes_{0};  // changed under the mutex only
  std::size_t over_ = 0;                      // jobs, since the last sweep
  std::vector<std::thread> members_;
  std::thread monitor_thread_;
  std::size_t waiting_ = 0;  // members in changed_.wait
  std::size_t waking_ = 0;   // of these, already notified
  std::size_t running_ = 0;  // members inside a piece of work
  std::uint64_t epoch_ = 0;  // moves on when the driver is replaced
  Driver driver_ = Driver::none;
  Phase phase_ = Phase::serving;
  bool input_over_ = false;
  bool hung_up_ = false;     // the client sends no more; what it has sent is read however much is unsent
  bool handed_off_ = false;  // the queue has been shown to be slow: members take from it, the driver only reads
  bool flush_wanted_ = false;
  bool monitor_sleeps_ = false;
  bool finished_ = false;
  std::uint64_t ticks_ = 0;
  std::uint64_t turn_tick_ = 0;  // when the driver's present turn began
  Timers::Clock::time_point phase_ends_{};
  bool hurried_ = false;                      // by a signal, or `stop`
  std::size_t pending_seen_ = 0;              // at the last look at the phase …
  Timers::Clock::time_point output_moved_{};  // … and when there was another number
};

}  // namespace toolwire::runtime
