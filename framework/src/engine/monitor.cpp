// The monitor: time, the replacement of the driver, and the end.
#include <algorithm>
#include <utility>

#include "engine/engine.hpp"
#include "system/later.hpp"

namespace toolwire::engine {
namespace {

constexpr std::uint64_t stuck_after_ticks = 2;  // between one and two milliseconds
/// A driver that comes back each time, only to go on at once, is what many quick calls need least threads for; but
/// where they never end, others are to help.
constexpr std::uint64_t busy_after_ticks = 10;
constexpr std::uint64_t linger_ticks = 20;  // keeps ticking a while, so that steady traffic need not wake it

}  // namespace

void Engine::monitor() {
  const MutexLock lock(mutex_);
  while (!finished_) {
    tick();
    if (finished_) break;
    const int milliseconds = sleep_time();
    monitor_sleeps_ = milliseconds != 1;
    if (monitor_sleeps_) {
      quiet_ = true;
      guests_.give_all_back();
    }
    system::WakeUp::Reason reason{};
    {
      const MutexUnlock unlock(mutex_);
      reason = wake_up_.sleep(milliseconds);
    }
    monitor_sleeps_ = false;
    if (reason == system::WakeUp::Reason::ended_by_signal) end_by_signal();
  }
}

void Engine::tick() {
  ++ticks_;
  if (const auto next = timers_.next(); next && *next <= Clock::now()) run_timers();
  if (notice_ends_ && *notice_ends_ <= Clock::now()) {
    notice_ends_.reset();
    stop_reading_all();
  }
  replace_driver_if_stuck();
  if (interrupt_wanted_ && plain_ != nullptr) plain_->source_->interrupt();
  look_at_channels();
  look_at_end();
}

/// Only the first is taken as a notice.
void Engine::end_by_signal() {
  const auto notice = std::exchange(serving_.notice, std::nullopt);
  if (!notice) return stop_all();
  notice_ends_ = system::later<Clock>(*notice);
  give_notice();
}

void Engine::give_notice() {
  for (const auto& channel : std::vector(channels_)) {
    if (channel->phase_ != Phase::serving) continue;
    ++channel->users_;
    {
      const MutexUnlock unlock(mutex_);
      channel->source_->give_notice();
    }
    --channel->users_;
    let_go_if_unused(*channel);
  }
}

void Engine::run_timers() {
  {
    const MutexUnlock unlock(mutex_);
    timers_.run_due(Clock::now());
  }
  for (const auto& channel : std::vector(channels_)) {
    if (channel->output_.empty() || channel->phase_ == Phase::over) continue;
    ++channel->users_;
    {
      const MutexUnlock unlock(mutex_);
      channel->output_.flush(Transport::Blocking::no);
    }
    --channel->users_;
    let_go_if_unused(*channel);
  }
}

void Engine::replace_driver_if_stuck() {
  const bool is_due = ticks_ - turn_tick_ >= stuck_after_ticks || ticks_ - idle_tick_ >= busy_after_ticks;
  if (driver_ != Driver::outside || !is_due || !has_spare()) return;
  if (parsers_ > 0 && is_rest_waiting()) return;
  ++epoch_;
  driver_ = Driver::none;
  watch_caller_ = {};
  handed_off_ = queued_ > 0;
  wake_one();
}

/// There is nothing to read and no job to run before the large message of the one source is parsed.
bool Engine::is_rest_waiting() const {
  return only_ != nullptr && only_->is_parsed_ && queued_ == 0 && running_ == 0 && guests_.empty();
}

void Engine::look_at_channels() {
  const auto needs_a_look = [](const auto& channel) {
    return channel->phase_ != Phase::serving || channel->output_.peer_gone() || channel->paused_ || channel->rests_;
  };
  if (std::ranges::none_of(channels_, needs_a_look)) return;
  for (const auto& channel : std::vector(channels_)) {
    if (channel->phase_ != Phase::over) look_at(*channel);
  }
}

/// Does at once what the next tick would do, so that peers who come and go quickly do not gather. Returns false when
/// this thread is no longer the driver.
bool Engine::remove_those_who_left(std::uint64_t mine) {
  peers_have_left_ = false;
  driver_ = Driver::outside;
  look_at_channels();
  if (epoch_ != mine) return false;
  driver_ = Driver::handling;
  return true;
}

void Engine::look_at(Channel& channel) {
  if (channel.paused_ && !channel.pollable_) look_for_hang_up(channel);
  if (channel.rests_ && Clock::now() >= channel.rest_ends_) {
    channel.rests_ = false;
    arm(channel);
  }
  if (channel.output_.peer_gone()) begin_stop(channel);  // meanwhile another thread may have removed it
  if (channel.phase_ == Phase::serving || channel.phase_ == Phase::over) return;
  if (nothing_left(channel)) return remove(channel);
  if (!channel.queue_.empty() || channel.wants_flush()) {
    flush_wanted_ = flush_wanted_ || channel.wants_flush();
    wake_one();
  }
  if (!is_phase_over(channel)) return;
  if (channel.phase_ == Phase::draining) {
    begin_stop(channel);
  } else if (only_ != &channel || call_on_stuck()) {
    remove(channel);
  }
}

void Engine::look_for_hang_up(Channel& channel) {
  if (!channel.source_->input_closed()) return;
  channel.paused_ = false;
  channel.hung_up_ = true;
  arm(channel);
}

/// Everything that was accepted is answered and written, or nobody is there to read it.
bool Engine::nothing_left(const Channel& channel) const {
  // What is being handled may have answers, or jobs.
  if (channel.is_used() || driver_ == Driver::handling) return false;
  if (channel.output_.peer_gone()) return true;
  // In this order: a call counts as answered once its answer is in the output.
  return channel.queue_.empty() && (channel.phase_ == Phase::stopping || channel.source_->all_answered()) &&
         channel.output_.empty();
}

/// After the end of input a client that still reads, however slowly, gets all that was made for it.
bool Engine::is_phase_over(Channel& channel) {
  const auto now = Clock::now();
  const std::size_t pending = channel.output_.pending();
  if (std::exchange(channel.pending_seen_, pending) != pending) channel.output_moved_ = now;
  if (now < channel.phase_ends_) return false;
  // Whoever writes the last of it has yet to come back.
  const bool is_written = pending > 0 || channel.users_ > 0;
  const bool is_read = is_written && now - channel.output_moved_ < serving_.drain;
  return channel.phase_ == Phase::draining || !channel.input_over_ || hurried_ || !is_read;
}

/// All channels are over; jobs of theirs may still run.
void Engine::look_at_end() {
  if (!channels_.empty() || finished_) return;
  if (settings_.stands ? !leaving_.empty()
                       : driver_ == Driver::handling || running_ > 0 || parsers_ > 0 || !leaving_.empty()) {
    if (Clock::now() >= ends_) call_on_stuck();
    return;
  }
  if (!settings_.stands) finish();
}

/// Whether such jobs are left.
bool Engine::call_on_stuck() {
  if (!serving_.on_stuck) return false;
  if (std::exchange(told_stuck_, true)) return serving_.leaves_stuck;
  const auto on_stuck = serving_.on_stuck;
  {
    const MutexUnlock unlock(mutex_);
    on_stuck();
  }
  return serving_.leaves_stuck;
}

/// The input has ended.
void Engine::drain(Channel& channel) {
  channel.input_over_ = true;
  if (channel.phase_ != Phase::serving) return;
  channel.phase_ = Phase::draining;
  peers_have_left_ = channels_.size() > 1;
  channel.phase_ends_ = system::later<Clock>(serving_.drain);
  disarm(channel);
  wake_monitor();
  if (only_ == &channel) close_to_guests();
}

void Engine::stop() {
  const MutexLock lock(mutex_);
  stop_reading_all();
}

void Engine::stop(const std::shared_ptr<Channel>& channel) {
  const MutexLock lock(mutex_);
  stop_reading(*channel);
}

void Engine::stop(std::uint64_t time) {
  const MutexLock lock(mutex_);
  if (serves_ && served_times_ == time) stop_reading_all();
}

void Engine::stop_reading_all() {
  stopping_ = true;
  for (const auto& channel : std::vector(channels_)) stop_reading(*channel);
}

/// The lock is let go meanwhile.
void Engine::stop_reading(Channel& channel) {
  if (channel.phase_ != Phase::serving) return;
  ++channel.users_;
  drain(channel);
  if (plain_ == &channel) interrupt_plain_read();
  interrupt_wait();
  {
    const MutexUnlock unlock(mutex_);
    channel.source_->stop_reading();
  }
  --channel.users_;
  flush_wanted_ = true;
  wake_one();
  let_go_if_unused(channel);
}

void Engine::stop_now() {
  const MutexLock lock(mutex_);
  stop_all();
}

void Engine::stop_all() {
  stopping_ = true;
  hurried_ = true;
  for (const auto& channel : std::vector(channels_)) begin_stop(*channel);
}

void Engine::begin_stop(Channel& channel) {
  if (channel.phase_ >= Phase::stopping) return;
  channel.phase_ = Phase::stopping;
  channel.phase_ends_ = system::later<Clock>(settings_.grace);
  disarm(channel);
  if (plain_ == &channel) interrupt_plain_read();
  wake_monitor();
  interrupt_wait();
  ++channel.users_;
  if (only_ == &channel) close_to_guests();
  cancel_all(channel);
  --channel.users_;
  changed_.notify_all();
  let_go_if_unused(channel);
}

/// The lock is let go meanwhile.
void Engine::cancel_all(Channel& channel) {
  ++channel.users_;
  {
    const MutexUnlock unlock(mutex_);
    channel.source_->cancel_all();
  }
  --channel.users_;
}

void Engine::detach(const std::shared_ptr<Channel>& channel) {
  const MutexLock lock(mutex_);
  if (channel->phase_ == Phase::over) return;
  ++channel->users_;
  begin_stop(*channel);
  if (channel->phase_ != Phase::over) remove(*channel);
  --channel->users_;
  let_go_if_unused(*channel);
}

void Engine::detach_all() {
  std::vector<std::shared_ptr<Channel>> all;
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    all = channels_;
  }
  for (const auto& channel : all) detach(channel);
}

/// The channel is over. Its descriptors stay as long as a thread may use them.
void Engine::remove(Channel& channel) {
  const auto found = std::ranges::find_if(channels_, [&](const auto& one) { return one.get() == &channel; });
  leaving_.push_back(std::move(*found));
  channels_.erase(found);
  only_ = channels_.size() == 1 ? channels_.front().get() : nullptr;
  channel.phase_ = Phase::over;
  channel.waits_for_room_ = false;
  disarm(channel);
  watch_output(channel);
  std::erase(always_ready_, channel.id_);
  if (std::erase(to_parse_, &channel) > 0) channel.is_parsed_ = false;
  if (plain_ == &channel) interrupt_plain_read();
  channel.output_.drop();
  if (channels_.empty()) ends_ = system::later<Clock>(settings_.grace);
  wake_monitor();
  queued_ -= channel.queue_.size();
  channel.change_queued_bytes(-channel.queued_bytes());
  ++channel.users_;
  std::deque<Channel::Work> dropped;
  dropped.swap(channel.queue_);
  {
    const MutexUnlock unlock(mutex_);
    dropped.clear();
    timers_.drop(&channel);
  }
  --channel.users_;
  let_go_if_unused(channel);
}

void Engine::let_go_if_unused(Channel& channel) {
  if (channel.phase_ != Phase::over || channel.is_used()) return;
  const auto found = std::ranges::find_if(leaving_, [&](const auto& one) { return one.get() == &channel; });
  if (found == leaving_.end()) return;
  std::shared_ptr<Channel> gone = std::move(*found);
  leaving_.erase(found);
  ++running_;  // neither the engine nor serving ends before this is done
  ++letting_go_;
  {
    const MutexUnlock unlock(mutex_);
    gone->source_->over();
    gone->keeps_.reset();
    gone.reset();
  }
  --running_;
  --letting_go_;
  if (is_served()) served_.notify_all();
}

void Engine::finish() {
  finished_ = true;
  changed_.notify_all();
  poller_.wake();
}

void Engine::wake_monitor() {
  if (is_pumped()) return interrupt_wait();
  if (monitor_sleeps_) wake_up_.wake();
}

/// Output that waits for the client is not watched: whoever writes it tells what becomes of it.
bool Engine::is_calm() const {
  if (driver_ != Driver::waits || interrupt_wanted_ || (channels_.empty() && !is_served())) return false;
  const auto is_calm = [](const auto& one) {
    return one->phase_ == Phase::serving && !one->rests_ && (!one->paused_ || one->pollable_);
  };
  return std::ranges::all_of(channels_, is_calm);
}

int Engine::sleep_time() const {
  if (!is_calm() || ticks_ - turn_tick_ < linger_ticks) return 1;
  auto next = timers_.next();
  if (notice_ends_) next = next ? std::min(*next, *notice_ends_) : *notice_ends_;
  if (!next) return -1;
  const auto wait = std::chrono::ceil<std::chrono::milliseconds>(*next - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(wait, 1, 3'600'000));
}

}  // namespace toolwire::engine
