// One set of threads and one wait for many peers. Knows nothing of JSON, methods or tools: it reads sources, runs jobs,
// and keeps outputs moving.
//
// * The driver reads, has protocol messages handled, then runs queued jobs one after the other on its own thread,
//   writes what is ready with one write, and reads again: no hand-off on the common path. With one source it waits in
//   a plain read of it, with several in one wait for all; all that is ready is read before any job runs.
// * The monitor wakes every millisecond while there is something to watch, else not at all. When the driver has not
//   come back to its wait for a millisecond because it is inside a job or a write, it gives the driver's role to
//   another thread. The old driver finishes what it is in, sees that the epoch has moved on, and becomes an ordinary
//   member.
// * Everyone else waits, or takes jobs from the queues once they have been shown to be slow.
//
// Rejected: a reader that hands every call to a pool (two context switches a call, four times the round trip), and
// several threads in epoll_wait on one input (wake-ups are easily lost).
//
// tests/model/engine has a model of it, of which all states are searched: what changes here changes there.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "engine/channel.hpp"
#include "engine/guests.hpp"
#include "engine/timers.hpp"
#include "engine/watches.hpp"
#include "system/poller.hpp"
#include "system/wake_up.hpp"
#include "toolwire/detail/condition_variable.hpp"
#include "toolwire/detail/mutex.hpp"
#include "toolwire/system/timer_event.hpp"

namespace toolwire::engine {

/// Thread-safe unless a function says otherwise. `run` ends, or `end` is called, before it is destroyed.
class Engine : public std::enable_shared_from_this<Engine> {
 public:
  struct Settings {
    unsigned threads = 8;  // jobs at once; 0: all on the thread that calls `run`, without a monitor
    std::chrono::milliseconds drain{1000};
    std::chrono::milliseconds grace{60};   // between telling jobs to stop and giving up on them
    std::chrono::milliseconds idle{5000};  // a thread that has had nothing to do for so long ends
    bool take_signals = false;             // SIGTERM and SIGINT, which the caller has blocked in all threads
    std::optional<std::chrono::milliseconds> notice = {};  // from the first of them to a stop; nothing: `stop_now`
    std::function<void()> on_stuck = {};  // the end is due but a job will not stop; may leave the process
    bool leaves_stuck = false;            // if that returns, drop what such a job answers
    bool stands = false;                  // by itself: on threads of its own, without channels too; see `start`
  };

  static std::shared_ptr<Engine> make(Settings settings);
  /// Use `make`. Throws std::system_error if descriptors have run out.
  explicit Engine(Settings settings);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  ~Engine();

  /// Reads the source of a channel of this engine from now on, or from `run` on, and holds `keeps` until the channel is
  /// over. Once. Throws std::logic_error where the source, or the one that is there, cannot be waited for together with
  /// others. After a stop, or the end of the engine, the channel is over at once.
  void attach(const std::shared_ptr<Channel>& channel, std::shared_ptr<void> keeps = nullptr);
  /// Ends a channel, whatever its jobs still do: what they answer is dropped. The source may still be read for a
  /// moment.
  void detach(const std::shared_ptr<Channel>& channel);
  /// The same with all there are.
  void detach_all();

  /// Works until no channel is left: each ends with its input, when all is answered and written or given up, or with
  /// its peer. Returns on the calling thread. Once.
  void run();

  /// Of one that stands by itself, which works from now on. Once. Throws std::system_error if threads have run out.
  void start();
  /// Ends that, or one that was run or pumped: waits for what runs, and drops what waits. Not on one of its threads.
  void end();

  /// How channels are served by one that stands by itself: what its Settings cannot know.
  struct Serving {
    std::chrono::milliseconds drain{1000};
    bool take_signals = false;
    std::optional<std::chrono::milliseconds> notice = {};
    std::function<void()> on_stuck = {};
    bool leaves_stuck = false;
  };
  /// Before the first channel; then `run` waits until no channel is left; in the end `end_serving`. Returns which time
  /// this is, for `stop`. Throws std::logic_error if channels are served already.
  std::uint64_t begin_serving(Serving serving);
  /// After the last channel; one that does not stand by itself is at its end.
  void end_serving();

  /// Instead of `run`, for a loop of the program's own; there is one thread then, and nothing waits. The descriptor is
  /// readable while there is something for `run_ready` to do, which runs so many jobs at most, and returns false once
  /// no channel is left. Throws std::system_error if descriptors have run out.
  int descriptor();
  bool run_ready(std::size_t max_jobs);

  /// Reads nothing any more; what was accepted is answered within the drain, or cancelled. From any thread.
  void stop();
  /// The same for one channel.
  void stop(const std::shared_ptr<Channel>& channel);
  /// The same, unless that time of serving is over.
  void stop(std::uint64_t time);
  /// Cancels everything and ends soon. From any thread.
  void stop_now();

  /// Whether this is one of the engine's own threads.
  bool is_inside() const;
  /// Whether a job may wait for something that other threads of the engine do.
  bool may_wait() const { return settings_.threads > 0; }

  /// Calls `ready` with what a descriptor is ready for (of system::Poller::Interest) as long as it is, one call at a
  /// time. Returns a number for `unwatch`; 0 if it cannot be waited for.
  std::uint64_t watch(int descriptor, unsigned interest, Watches::Ready ready);
  /// Waits for something else from now on, or for nothing. Calls of `ready` stay one at a time; what is told may be out
  /// of date by one change. Does not wait.
  void rewatch(std::uint64_t id, unsigned interest);
  /// `ready` is not called any more once this returns, and what it holds has been let go; inside of `ready` it is the
  /// last call.
  void unwatch(std::uint64_t id);

  /// Queues a piece of work that belongs to no channel; dropped after the end.
  void post(std::function<void()> work);
  /// The same at `when`; never if it is forgotten before, or after the end.
  Timers::Handle post_at(Timers::Clock::time_point when, std::function<void()> work);
  void forget(const Timers::Handle& timer) { timers_.cancel(timer); }

  /// See Host, which these are for.
  void lend(Guest& guest, const Guest::Awaited& awaited);
  void recall(const Guest& guest);

 private:
  friend class Channel;
  enum class Driver { none, waits, handling, outside };
  using Clock = std::chrono::steady_clock;
  using Phase = Channel::Phase;

  // engine.cpp: the threads and the jobs
  const Engine* enter() const;
  static void leave(const Engine* outside);
  bool work() TOOLWIRE_REQUIRES(mutex_);
  bool wait_for_work(MutexLock& lock, bool is_member) TOOLWIRE_REQUIRES(mutex_);
  void drive() TOOLWIRE_REQUIRES(mutex_);
  bool drive_once(std::uint64_t mine) TOOLWIRE_REQUIRES(mutex_);
  bool run_jobs(std::uint64_t mine) TOOLWIRE_REQUIRES(mutex_);
  bool may_drive_jobs() const TOOLWIRE_REQUIRES(mutex_);
  bool may_take_job() const TOOLWIRE_REQUIRES(mutex_) {
    return queued_ > 0 && (may_take_unowned() || may_take_job_of_channels());
  }
  bool may_take_unowned() const TOOLWIRE_REQUIRES(mutex_) { return !unowned_.empty() && apart_ < max_apart_; }
  bool may_take_job_of_channels() const TOOLWIRE_REQUIRES(mutex_) {
    if (running_ >= settings_.threads && settings_.threads > 0) return false;
    return only_ != nullptr ? only_->may_begin_jobs() : may_take_job_of_any();
  }
  bool may_take_job_of_any() const TOOLWIRE_REQUIRES(mutex_);
  bool may_parse() const TOOLWIRE_REQUIRES(mutex_) { return !to_parse_.empty() && parsers_ == 0; }
  bool may_take(const Channel& channel) const TOOLWIRE_REQUIRES(mutex_);
  bool has_work() const TOOLWIRE_REQUIRES(mutex_) { return queued_ > 0 || !to_parse_.empty(); }
  bool has_spare() const TOOLWIRE_REQUIRES(mutex_) {
    return waiting_ > waking_ || settings_.threads == 0 || members_.size() + 1 < max_members_;
  }
  Channel& take_turn() TOOLWIRE_REQUIRES(mutex_);
  void run_next() TOOLWIRE_REQUIRES(mutex_);
  void run_job(Channel& channel) TOOLWIRE_REQUIRES(mutex_);
  void run_unowned() TOOLWIRE_REQUIRES(mutex_);
  void took_job() TOOLWIRE_REQUIRES(mutex_);
  bool is_turn_of_unowned() TOOLWIRE_REQUIRES(mutex_);
  void parse_next() TOOLWIRE_REQUIRES(mutex_);
  void flush(Channel& channel) TOOLWIRE_REQUIRES(mutex_);
  void flush_ready() TOOLWIRE_REQUIRES(mutex_);
  bool is_anything_to_flush() const TOOLWIRE_REQUIRES(mutex_);
  bool wake_one() TOOLWIRE_REQUIRES(mutex_);
  bool wake_for_work() TOOLWIRE_REQUIRES(mutex_);
  /// Whether the driver runs what is posted now before it waits again, or has somebody else do so. If a watch calls
  /// this, and then lasts, the monitor does.
  bool driver_sees_to_it() const TOOLWIRE_REQUIRES(mutex_) {
    return driver_ == Driver::handling || watch_caller_ == std::this_thread::get_id();
  }
  void start_member() TOOLWIRE_REQUIRES(mutex_);
  void member();

  // reading.cpp: sources and the two ways to wait
  bool may_read_plain() TOOLWIRE_REQUIRES(mutex_) {
    if (only_ == nullptr || !only_->armed_ || only_->waits_for_room_ || !watches_.empty()) return false;
    return guests_.empty() || may_leave_guests_alone();
  }
  void read_plain(Channel& channel) TOOLWIRE_REQUIRES(mutex_);
  bool wait_for_all(std::uint64_t mine) TOOLWIRE_REQUIRES(mutex_);
  std::size_t wait_for_events(system::Poller::Events& events) TOOLWIRE_REQUIRES(mutex_);
  std::size_t wait_unlocked(system::Poller::Events& events, int limit) TOOLWIRE_REQUIRES(mutex_);
  int wait_limit() const TOOLWIRE_REQUIRES(mutex_);
  bool handle(const system::Poller::Event& event, std::uint64_t mine) TOOLWIRE_REQUIRES(mutex_);
  void handle_input(Channel& channel, const system::Poller::Event& event) TOOLWIRE_REQUIRES(mutex_);
  void read_at_once(Channel& channel) TOOLWIRE_REQUIRES(mutex_);
  void finish_reading(Channel& channel, Source::Outcome outcome) TOOLWIRE_REQUIRES(mutex_);
  void begin_turn() TOOLWIRE_REQUIRES(mutex_) {
    driver_ = Driver::handling;
    turn_tick_ = idle_tick_ = ticks_;
    interrupt_wanted_ = false;
    quiet_ = false;
    if (monitor_sleeps_) end_sleep_of_monitor();
  }
  void end_sleep_of_monitor() TOOLWIRE_REQUIRES(mutex_);
  void pause_those_behind() TOOLWIRE_REQUIRES(mutex_);
  void pause(Channel& channel) TOOLWIRE_REQUIRES(mutex_);
  void arm(Channel& channel) TOOLWIRE_REQUIRES(mutex_);
  void disarm(Channel& channel) TOOLWIRE_REQUIRES(mutex_);
  void watch(Channel& channel) TOOLWIRE_REQUIRES(mutex_);
  void watch_output(Channel& channel) TOOLWIRE_REQUIRES(mutex_);
  void watch_all() TOOLWIRE_REQUIRES(mutex_);
  void interrupt_plain_read() TOOLWIRE_REQUIRES(mutex_);
  void interrupt_wait() TOOLWIRE_REQUIRES(mutex_);
  bool waits_for_all() const TOOLWIRE_REQUIRES(mutex_) { return driver_ == Driver::waits && plain_ == nullptr; }
  Channel* channel_of(std::uint64_t id) const TOOLWIRE_REQUIRES(mutex_);

  // pumping.cpp: a step at a time
  bool is_pumped() const TOOLWIRE_REQUIRES(mutex_) { return timer_.has_value(); }
  void step(std::size_t max_jobs) TOOLWIRE_REQUIRES(mutex_);
  bool is_anything_ready() const TOOLWIRE_REQUIRES(mutex_);
  std::optional<Clock::time_point> next_step() const TOOLWIRE_REQUIRES(mutex_);

  // lending.cpp: inputs of others
  void open_to_guests() TOOLWIRE_REQUIRES(mutex_);
  void close_to_guests() TOOLWIRE_REQUIRES(mutex_);
  void leave_guests_alone(bool alone) TOOLWIRE_REQUIRES(mutex_);
  bool may_leave_guests_alone() TOOLWIRE_REQUIRES(mutex_);
  bool read_guest(std::uint64_t id, std::uint64_t mine) TOOLWIRE_REQUIRES(mutex_);

  // watching.cpp: descriptors and work of others, and standing by itself
  void wait_until_served();
  bool run_watch(std::uint64_t id, unsigned interest, std::uint64_t mine) TOOLWIRE_REQUIRES(mutex_);

  // monitor.cpp: time, the replacement of the driver, and the end
  void monitor();
  void tick() TOOLWIRE_REQUIRES(mutex_);
  void end_by_signal() TOOLWIRE_REQUIRES(mutex_);
  void give_notice() TOOLWIRE_REQUIRES(mutex_);
  void run_timers() TOOLWIRE_REQUIRES(mutex_);
  void replace_driver_if_stuck() TOOLWIRE_REQUIRES(mutex_);
  bool is_rest_waiting() const TOOLWIRE_REQUIRES(mutex_);
  void look_at_channels() TOOLWIRE_REQUIRES(mutex_);
  bool remove_those_who_left(std::uint64_t mine) TOOLWIRE_REQUIRES(mutex_);
  void look_at(Channel& channel) TOOLWIRE_REQUIRES(mutex_);
  void look_for_hang_up(Channel& channel) TOOLWIRE_REQUIRES(mutex_);
  void look_at_end() TOOLWIRE_REQUIRES(mutex_);
  bool nothing_left(const Channel& channel) const TOOLWIRE_REQUIRES(mutex_);
  bool is_phase_over(Channel& channel) TOOLWIRE_REQUIRES(mutex_);
  bool call_on_stuck() TOOLWIRE_REQUIRES(mutex_);
  void drain(Channel& channel) TOOLWIRE_REQUIRES(mutex_);
  void stop_reading_all() TOOLWIRE_REQUIRES(mutex_);
  void stop_reading(Channel& channel) TOOLWIRE_REQUIRES(mutex_);
  void cancel_all(Channel& channel) TOOLWIRE_REQUIRES(mutex_);
  void stop_all() TOOLWIRE_REQUIRES(mutex_);
  void begin_stop(Channel& channel) TOOLWIRE_REQUIRES(mutex_);
  void remove(Channel& channel) TOOLWIRE_REQUIRES(mutex_);
  void let_go_if_unused(Channel& channel) TOOLWIRE_REQUIRES(mutex_);
  void finish() TOOLWIRE_REQUIRES(mutex_);
  void wake_monitor() TOOLWIRE_REQUIRES(mutex_);
  int sleep_time() const TOOLWIRE_REQUIRES(mutex_);
  bool is_calm() const TOOLWIRE_REQUIRES(mutex_);
  void end_threads();
  void drop_unowned();

  /// By an engine that stands by itself.
  bool is_served() const TOOLWIRE_REQUIRES(mutex_) {
    return settings_.stands && channels_.empty() && leaving_.empty() && letting_go_ == 0;
  }

  const Settings settings_;
  const std::size_t max_apart_;
  const std::size_t max_members_;
  Timers timers_;
  system::WakeUp wake_up_;
  system::Poller poller_;

  mutable Mutex mutex_;
  std::optional<system::TimerEvent> timer_ TOOLWIRE_GUARDED_BY(mutex_);  // of an engine that is pumped
  ConditionVariable changed_;                                            // members that have nothing to do
  Guests guests_ TOOLWIRE_GUARDED_BY(mutex_);
  Watches watches_ TOOLWIRE_GUARDED_BY(mutex_);
  std::thread::id watch_caller_ TOOLWIRE_GUARDED_BY(mutex_) = {};  // the driver, inside of a call of a watch
  std::vector<std::shared_ptr<Channel>> channels_ TOOLWIRE_GUARDED_BY(mutex_);
  Channel* only_ TOOLWIRE_GUARDED_BY(mutex_) = nullptr;                        // of channels_, if there is one
  std::vector<std::shared_ptr<Channel>> leaving_ TOOLWIRE_GUARDED_BY(mutex_);  // over, but threads are inside
  std::vector<std::uint64_t> always_ready_ TOOLWIRE_GUARDED_BY(mutex_);        // as files, which nobody can wait for
  std::deque<Channel*> to_parse_ TOOLWIRE_GUARDED_BY(mutex_);                  // large messages
  std::size_t turn_of_ TOOLWIRE_GUARDED_BY(mutex_) = 0;                        // the index of a channel
  std::vector<std::thread> members_ TOOLWIRE_GUARDED_BY(mutex_);
  std::thread left_ TOOLWIRE_GUARDED_BY(mutex_);  // the last member that was not needed any more
  std::thread monitor_thread_;
  std::deque<std::function<void()>> unowned_ TOOLWIRE_GUARDED_BY(mutex_);  // jobs of no channel
  std::size_t queued_ TOOLWIRE_GUARDED_BY(mutex_) = 0;                     // jobs, of all channels and of none
  std::size_t waiting_ TOOLWIRE_GUARDED_BY(mutex_) = 0;                    // members in changed_.wait
  std::size_t waking_ TOOLWIRE_GUARDED_BY(mutex_) = 0;                     // of these, already notified
  std::size_t running_ TOOLWIRE_GUARDED_BY(mutex_) = 0;     // threads inside a job of a channel, or a guest
  std::size_t apart_ TOOLWIRE_GUARDED_BY(mutex_) = 0;       // threads inside a job of none, or a watch
  std::size_t letting_go_ TOOLWIRE_GUARDED_BY(mutex_) = 0;  // threads that let a channel go
  std::size_t parsers_ TOOLWIRE_GUARDED_BY(mutex_) = 0;     // threads that parse a large message: at most one
  std::uint64_t epoch_ TOOLWIRE_GUARDED_BY(mutex_) = 0;     // moves on when the driver is replaced
  std::uint64_t last_id_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  Driver driver_ TOOLWIRE_GUARDED_BY(mutex_) = Driver::none;
  Channel* plain_ TOOLWIRE_GUARDED_BY(mutex_) = nullptr;       // which the driver reads with a plain read
  bool waited_for_all_ TOOLWIRE_GUARDED_BY(mutex_) = false;    // ever: until then the poller is not kept up to date
  bool interrupt_wanted_ TOOLWIRE_GUARDED_BY(mutex_) = false;  // of the plain read
  bool lacks_threads_ TOOLWIRE_GUARDED_BY(mutex_) = false;     // the system has refused the last one, which was said
  bool handed_off_ TOOLWIRE_GUARDED_BY(mutex_) = false;        // queues were shown to be slow: the driver only reads
  bool flush_wanted_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  bool peers_have_left_ TOOLWIRE_GUARDED_BY(mutex_) = false;  // since the driver has last looked for them
  bool monitor_sleeps_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  bool has_room_for_guests_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  bool quiet_ TOOLWIRE_GUARDED_BY(mutex_) = false;  // nothing has come for a while: guests are with their own threads
  bool guests_left_alone_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  unsigned plain_reads_ TOOLWIRE_GUARDED_BY(mutex_) = 0;  // since the last wait for all, while there were guests
  bool serves_ TOOLWIRE_GUARDED_BY(mutex_) = false;       // see `begin_serving`
  std::uint64_t served_times_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  Serving serving_ TOOLWIRE_GUARDED_BY(mutex_);
  ConditionVariable served_;
  bool channels_first_ TOOLWIRE_GUARDED_BY(mutex_) = false;  // the last job was of no channel
  bool finished_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  bool stopping_ TOOLWIRE_GUARDED_BY(mutex_) = false;                         // nobody comes any more
  bool hurried_ TOOLWIRE_GUARDED_BY(mutex_) = false;                          // by a signal, or `stop_now`
  std::optional<Clock::time_point> notice_ends_ TOOLWIRE_GUARDED_BY(mutex_);  // then it stops
  bool told_stuck_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  std::uint64_t ticks_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  std::uint64_t turn_tick_ TOOLWIRE_GUARDED_BY(mutex_) = 0;  // when the driver's present turn began
  std::uint64_t idle_tick_ TOOLWIRE_GUARDED_BY(mutex_) = 0;  // when it last found nothing to do
  Clock::time_point ends_ TOOLWIRE_GUARDED_BY(mutex_){};     // for jobs of channels that are over
};

}  // namespace toolwire::engine
