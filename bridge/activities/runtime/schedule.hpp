// The decisions of a pool of processes: which call runs where, which process is started, and what an end costs.
// Decides only: starts nothing, sends nothing, and is told the time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "process/back_off.hpp"

namespace toolwire::bridge::runtimes {

/// What bounds a schedule; see RuntimeOptions.
struct ScheduleLimits {
  std::size_t places = 1;                 ///< Processes at most.
  std::size_t calls_at_once = 1;          ///< In one process.
  std::size_t max_waiting = 1;            ///< Calls.
  std::chrono::milliseconds max_wait{0};  ///< Of a call for a start that is put off.
  BackOffOptions back_off = {};           ///< "Started" is a process that has answered a call.
};

/// Calls (or batches) by their numbers, and places, each for one process at a time. One thread.
class Schedule {
 public:
  using Clock = std::chrono::steady_clock;
  using Call = std::uint64_t;
  using Place = std::size_t;  // below `places`

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
  /// The call that has waited longest now runs at this place; nothing if none waits or no process is free.
  std::optional<Assignment> assign();
  /// Where a call runs, as long as its tools do; nothing if it waits or is not known.
  std::optional<Place> place_of(Call call) const;
  /// It is answered before its tools have ended. One that waits is forgotten; one that runs keeps its place, where no
  /// other call begins until `finish`: a tool that does not end takes its process along.
  void abandon(Call call);
  bool is_abandoned(Call call) const;
  /// Its tools have ended.
  void finish(Call call);
  /// All calls that wait, the longest first; they are forgotten.
  std::vector<Call> take_waiting();

  /// A process is to be started though no call waits.
  void want_one() { is_wanted_ = true; }
  struct Growth {
    std::optional<Place> start = {};             // a process is started here now …
    std::optional<Clock::time_point> look = {};  // … or whether one is to be started is asked again then
  };
  /// One process more, if there are more calls than processes, or more wait than those that start can take.
  Growth grow(Clock::time_point now);

  /// The process has begun to serve.
  void ready(Place place);
  /// It has answered a call.
  void answered(Place place, Clock::time_point now);
  /// It is being ended: it gets no calls.
  void leave(Place place);
  struct Loss {
    std::vector<Call> calls = {};  // ran there, and are forgotten
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

  /// No further calls are taken; those that there are run to their end.
  void retire() { is_retired_ = true; }
  /// The same, and nothing is started any more.
  void close() { is_retired_ = is_closed_ = true; }
  bool is_retired() const { return is_retired_; }
  /// Retired, and no call is left: all processes are to end.
  bool is_done() const { return is_retired_ && calls_.empty(); }
  /// No process is left.
  bool is_empty() const { return count(Life::none) == slots_.size(); }

 private:
  struct Slot {
    Life life = Life::none;
    std::set<Call> calls = {};
    std::size_t abandoned = 0;  // of these
    BackOff back_off;
    Clock::time_point not_before = {};
    bool was_ready = false;
    bool has_answered = false;
  };
  struct State {
    std::optional<Place> place = {};
    bool is_abandoned = false;
  };

  std::size_t count(Life life) const;
  std::optional<Place> best_place() const;

  const ScheduleLimits limits_;
  std::vector<Slot> slots_;
  std::unordered_map<Call, State> calls_;
  std::deque<Call> waiting_;       // may name calls that have been forgotten
  std::size_t waiting_count_ = 0;  // of those that have not
  bool is_wanted_ = false;
  bool is_retired_ = false;
  bool is_closed_ = false;
};

}  // namespace toolwire::bridge::runtimes
