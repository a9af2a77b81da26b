// Decides when a back-end's server is started, asked for its lists, cleaned up after and started again. Starts nothing,
// asks nothing, and is told the time.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include <toolwire/detail/back_off.hpp>

namespace toolwire::bridge::mcp {

/// What bounds a supervision; see BackEndOptions.
struct SupervisionLimits {
  BackOffOptions back_off = {};
  unsigned unasked_restarts = 0;
  std::chrono::milliseconds max_wait{0};
  std::chrono::milliseconds between_listings{0};
};

/// A plain value; not synchronized. Of the functions below, those named `begin_…` and what ends them are the
/// supervising thread's; the others are called whenever it happens.
class Supervision {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Supervision(const SupervisionLimits& limits) : limits_(limits), back_off_(limits.back_off) {}

  /// What is to be done now.
  enum class Step { clean_up, start, list, send_waiting, wait };
  Step next(Clock::time_point now, bool calls_wait) const;
  /// When `next` may return another step although nothing has happened.
  std::optional<Clock::time_point> next_time() const;

  /// A server is needed.
  void want() { is_wanted_ = true; }
  /// The server is gone, or can no longer be used.
  void lost(std::string reason);
  /// It has reported changed lists: they are asked for before the next call.
  void lists_changed() { is_stale_ = true; }
  /// Nothing could be sent to it; `lost` will follow.
  void sending_failed() { is_up_ = false; }

  void begin_start();
  /// It has started and its lists are known.
  void started(Clock::time_point now);
  void start_failed(Clock::time_point now, bool calls_wait);

  /// Calls wait meanwhile, since their tools may have changed.
  void begin_listing(Clock::time_point now);
  void listed() { is_up_ = !is_lost_; }

  /// Returns why it is gone.
  std::string begin_clean_up();
  void cleaned_up(Clock::time_point now, bool calls_wait);

  /// Started, listed and not known to be gone.
  bool is_up() const { return is_up_; }
  bool takes_calls() const { return is_up_ && !is_stale_; }
  /// How long until the next start may be tried, if a call must not wait that long.
  std::optional<std::chrono::milliseconds> too_long_a_wait(Clock::time_point now) const;
  unsigned failures_in_a_row() const { return back_off_.in_a_row(); }

 private:
  void failed(Clock::time_point now, bool calls_wait);

  const SupervisionLimits limits_;
  BackOff back_off_;
  bool is_wanted_ = false;   // to be started
  bool has_server_ = false;  // started, and not cleaned up after
  bool is_up_ = false;
  bool is_lost_ = false;                 // gone, and not yet cleaned up after
  bool is_stale_ = false;                // its lists have to be asked for before the next call
  std::string reason_ = {};              // why it is gone
  Clock::time_point not_before_ = {};    // of the next start
  Clock::time_point next_listing_ = {};  // at the earliest
};

}  // namespace toolwire::bridge::mcp
