// The monitor's half of the crew: time, the driver's replacement, and the end.
#include <algorithm>
#include <utility>

#include "runtime/crew.hpp"

namespace toolwire::runtime {
namespace {
constexpr std::uint64_t stuck_after_ticks = 2;  // between one and two milliseconds
constexpr std::uint64_t linger_ticks = 20;      // keeps ticking a while, so that steady traffic need not wake it
}  // namespace

void Crew::monitor() {
  Lock lock(mutex_);
  while (!finished_) {
    tick(lock);
    if (finished_) break;
    int milliseconds = sleep_time();
    monitor_sleeps_ = milliseconds != 1;
    if (monitor_sleeps_ && steps_.at_rest) steps_.at_rest();
    lock.unlock();
    system::WakeUp::Reason reason = wake_up_.sleep(milliseconds);
    lock.lock();
    monitor_sleeps_ = false;
    if (reason == system::WakeUp::Reason::ended_by_signal) {
      hurried_ = true;
      begin_stop(lock);
    }
  }
}

void Crew::tick(Lock& lock) {
  ++ticks_;
  if (auto next = timers_.next(); next && *next <= Timers::Clock::now()) {
    lock.unlock();
    timers_.run_due(Timers::Clock::now());
    output_.flush(Transport::Blocking::no);
    lock.lock();
  }
  replace_driver_if_stuck();
  if (driver_ == Driver::paused) {
    hung_up_ = steps_.input_closed();
    may_read_.notify_all();
  }
  if (output_.peer_gone()) begin_stop(lock);
  advance_phase(lock);
}

int Crew::sleep_time() const {
  // Output that waits for the client is not watched: whoever writes it tells what becomes of it.
  bool watching = driver_ != Driver::reading || phase_ != Phase::serving || ticks_ - turn_tick_ < linger_ticks;
  if (watching) return 1;
  auto next = timers_.next();
  if (!next) return -1;
  auto wait = std::chrono::ceil<std::chrono::milliseconds>(*next - Timers::Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(wait, 1, 3'600'000));
}

void Crew::replace_driver_if_stuck() {
  if (driver_ != Driver::outside || ticks_ - turn_tick_ < stuck_after_ticks || !has_spare()) return;
  ++epoch_;
  driver_ = Driver::none;
  handed_off_ = !queue_.empty();
  wake_one();
}

/// Everything that was accepted is answered and written, or nobody is there to read it.
bool Crew::nothing_left() const {
  if (running_ > 0 || driver_ == Driver::handling) return false;  // what is being handled may have answers, or work
  if (output_.peer_gone()) return true;
  // In this order: a call counts as answered once its answer is in the output.
  return queue_.empty() && (phase_ == Phase::stopping || steps_.all_answered()) && output_.empty();
}

void Crew::advance_phase(Lock& lock) {
  if (phase_ == Phase::serving) return;
  if (phase_ == Phase::stopping && driver_ == Driver::reading) {
    steps_.interrupt_read();
  } else if (nothing_left()) {
    return finish();
  }
  if (!queue_.empty() || !output_.empty()) {
    flush_wanted_ = flush_wanted_ || !output_.empty();
    wake_one();
  }
  if (!is_phase_over()) return;
  if (phase_ == Phase::draining) {
    begin_stop(lock);
  } else if (steps_.abandon) {
    lock.unlock();
    steps_.abandon();
    lock.lock();
  }
}

/// After the end of input a client that still reads, however slowly, gets all that was made for it.
bool Crew::is_phase_over() {
  const auto now = Timers::Clock::now();
  const std::size_t pending = output_.pending();
  if (std::exchange(pending_seen_, pending) != pending) output_moved_ = now;
  if (now < phase_ends_) return false;
  const bool is_read = pending > 0 && now - output_moved_ < settings_.drain;
  return phase_ == Phase::draining || !input_over_ || hurried_ || !is_read;
}

void Crew::begin_stop(Lock& lock) {
  if (phase_ == Phase::stopping) return;
  phase_ = Phase::stopping;
  phase_ends_ = Timers::Clock::now() + settings_.grace;
  if (monitor_sleeps_) wake_up_.wake();
  cancel_all(lock);
  wake_all();
}

void Crew::cancel_all(Lock& lock) {
  lock.unlock();
  steps_.cancel_all();
  lock.lock();
}

void Crew::finish() {
  finished_ = true;
  wake_all();
}

void Crew::wait_without_monitor(Lock& lock) {
  if (nothing_left()) return finish();
  if (phase_ != Phase::serving && Timers::Clock::now() >= phase_ends_) {
    phase_ == Phase::draining ? begin_stop(lock) : finish();
    return;
  }
  changed_.wait_for(lock, std::chrono::milliseconds(1));
}

}  // namespace toolwire::runtime
