// The decisions of a pool of processes: which call runs where, which process is started, and which calls are lost with
// one that ends. Starts nothing, sends nothing, and is told the time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include <toolwire/detail/back_off.hpp>

namespace toolwire::bridge::runtimes {

/// When a process has served long enough and another takes its place; 0 is never. A plain value.
struct Recycling {
  std::uint64_t max_calls = 0;            ///< Answered.
  std::uint64_t max_failures = 0;         ///< In a row: tools that failed or were too late.
  std::uint64_t max_memory = 0;           ///< Bytes, as last measured.
  std::chrono::milliseconds max_age{0};   ///< Since it began to serve.
  std::chrono::milliseconds max_idle{0};  ///< Since its last call ended.
};

/// What bounds a schedule; see RuntimeOptions.
struct ScheduleLimits {
  std::size_t places = 1;                   ///< Processes that serve at most; as many again may be on their way out.
  std::size_t calls_at_once = 1;            ///< In one process.
  std::size_t max_waiting = 1;              ///< Calls.
  std::chrono::milliseconds max_wait{0};    ///< Of a call for a start that is put off.
  std::chrono::milliseconds max_hold{500};  ///< Of a share of the calls for a process that is starting.
  BackOffOptions back_off = {};             ///< "Started" is a process that has answered a call.
  Recycling recycling = {};
};

/// Calls (or batches) by their numbers, and places, each for one process at a time. One thread.
///
/// Processes are of generations. `renew` says that what a start loads has changed: one process of a new generation is
/// started on trial, and no other until it is decided. `accept`: it takes over; processes before it get no calls and
/// are to leave. `reject`: those before it go on, and none is started beside them as long as one is left.
class Schedule {
 public:
  using Clock = std::chrono::steady_clock;
  using Call = std::uint64_t;
  using Place = std::size_t;  // below `places()`

  explicit Schedule(const ScheduleLimits& limits);

  /// Why a call cannot be taken.
  struct Refusal {
    enum class Why { closed, retired, too_many_waiting, no_process_soon };
    Why why = Why::closed;
    std::chrono::milliseconds next_start{};  // of `no_process_soon`: from now
    unsigned failures_in_a_row = 0;
  };
  std::optional<Refusal> refusal(Clock::time_point now) const;

  /// The call waits for a process. Numbers are new each time.
  void add(Call call);
  struct Assignment {
    Call call = 0;
    Place place = 0;
  };
  /// The call that has waited longest, and the place where it now runs; nothing if none waits or no process is free.
  /// For a while (`max_hold`) a process that is starting has its share of the calls kept for it.
  std::optional<Assignment> assign(Clock::time_point now);
  /// Where a call runs, as long as its tools do; nothing if it waits or is not known.
  std::optional<Place> place_of(Call call) const;
  /// It is answered before its tools have ended. A waiting call is forgotten; a running one keeps its place, where no
  /// other call begins until `finish`, because a tool that does not end costs its process.
  void abandon(Call call);
  bool is_abandoned(Call call) const;
  /// Its tools have ended.
  void finish(Call call);
  /// All calls that wait, the longest first; they are forgotten.
  std::vector<Call> take_waiting();

  /// A process is to be started although no call waits.
  void want_one() { is_wanted_ = true; }
  struct Growth {
    std::optional<Place> start = {};             // a process is started here now …
    std::optional<Clock::time_point> look = {};  // … or `grow` is to be called again then
  };
  /// One more process, if there are more calls than processes, or more waiting calls than those that start can take.
  Growth grow(Clock::time_point now);

  /// The process has begun to serve.
  void ready(Place place, Clock::time_point now);
  /// It has answered a call. `failed`: as a broken process would.
  void answered(Place place, Clock::time_point now, bool failed = false);
  /// How much memory it holds.
  void measured(Place place, std::uint64_t bytes) { slots_[place].run.memory = bytes; }

  /// What a start loads has changed.
  void renew();
  /// Whether this process decides if its generation takes over.
  bool is_on_trial(Place place) const;
  void accept();
  void reject();
  /// Whether any process gets calls.
  bool has_serving() const;
  /// The same, with a process that is starting and therefore loads the change.
  void renew(Place starting);
  /// Places whose processes are to be sent away now: superseded or worn out, and without calls.
  std::vector<Place> to_leave(Clock::time_point now);
  /// It is being ended: it gets no calls.
  void leave(Place place);
  struct Loss {
    std::vector<Call> calls = {};  // that ran there, and are forgotten
    bool is_hopeless = false;      // it could not be started, and there is no other
  };
  /// It has ended. `is_to_blame`: it did so by itself, or had to be killed for something it did.
  Loss gone(Place place, bool is_to_blame, Clock::time_point now);

  enum class Life { none, starting, ready, leaving };
  Life life(Place place) const { return slots_[place].life; }
  bool has_calls(Place place) const { return !slots_[place].calls.empty(); }
  std::size_t places() const { return slots_.size(); }
  /// Processes that serve.
  std::size_t ready_count() const { return count(Life::ready); }
  /// Calls that wait or run.
  std::size_t call_count() const { return calls_.size(); }

  /// No further calls are taken; those there are run to their end.
  void retire() { is_retired_ = true; }
  /// The same, and nothing is started any more.
  void close() { is_retired_ = is_closed_ = true; }
  bool is_retired() const { return is_retired_; }
  /// Retired, and no call is left: all processes are to end.
  bool is_done() const { return is_retired_ && calls_.empty(); }
  /// No process is left.
  bool is_empty() const { return count(Life::none) == slots_.size(); }

 private:
  /// What a process has been through.
  struct Run {
    unsigned generation = 0;
    std::uint64_t served = 0;
    std::uint64_t failures = 0;  // in a row
    std::uint64_t memory = 0;
    Clock::time_point began = {};  // to start; once it is ready, to serve
    Clock::time_point idle_since = {};
    bool is_aged = false;
    bool was_ready = false;
    bool has_answered = false;
  };
  struct Slot {
    Life life = Life::none;
    Run run = {};
    std::set<Call> calls = {};
    std::size_t abandoned = 0;  // of these
    BackOff back_off;
    Clock::time_point not_before = {};
  };
  struct State {
    std::optional<Place> place = {};
    bool is_abandoned = false;
  };

  std::size_t count(Life life) const;
  bool serves(const Slot& slot) const { return slot.life == Life::ready && slot.run.generation == serving_; }
  bool is_worn(const Slot& slot) const;
  std::size_t fresh_count() const;
  std::size_t share(Clock::time_point now) const;
  std::size_t next_slot() const;
  bool has_fresh() const;
  std::optional<Place> best_place(Clock::time_point now) const;

  const ScheduleLimits limits_;
  std::vector<Slot> slots_;
  std::unordered_map<Call, State> calls_;
  std::deque<Call> waiting_;       // may name calls that have been forgotten
  std::size_t waiting_count_ = 0;  // of those that have not
  unsigned serving_ = 0;           // the generation that gets calls
  unsigned newest_ = 0;            // the generation of what is started
  bool is_rejected_ = false;       // the newest
  bool is_wanted_ = false;
  bool is_retired_ = false;
  bool is_closed_ = false;
};

}  // namespace toolwire::bridge::runtimes
