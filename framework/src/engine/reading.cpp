// Sources: how the driver waits for them, and when they are read.
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "engine/engine.hpp"

namespace toolwire::engine {
namespace {

using system::Poller;
using Outcome = Source::Outcome;

constexpr std::uint64_t output_bit = 1;
constexpr std::chrono::milliseconds rest{100};

std::uint64_t event_of_input(std::uint64_t id) { return id << 1; }
std::uint64_t event_of_output(std::uint64_t id) { return id << 1 | output_bit; }

}  // namespace

void Engine::attach(const std::shared_ptr<Channel>& channel, std::shared_ptr<void> keeps) {
  MutexLock lock(mutex_);
  if (finished_ || stopping_) {
    channel->phase_ = Phase::over;
    channel->output_.drop();
    lock.unlock();
    return channel->source_->over();
  }
  const bool is_only_source = channels_.empty() && !settings_.stands;
  if (!is_only_source && (!channel->pollable_ || (!channels_.empty() && !channels_.front()->pollable_)))
    throw std::logic_error("a source without a descriptor can only be the one source of an engine");
  channel->keeps_ = std::move(keeps);
  channel->id_ = ++last_id_;
  channels_.push_back(channel);
  only_ = channels_.size() == 1 ? channel.get() : nullptr;
  if (channels_.size() > 1 || waited_for_all_) watch_all();
  interrupt_plain_read();
}

/// In this state no other thread becomes the driver.
void Engine::read_plain(Channel& channel) {
  driver_ = Driver::waits;
  plain_ = &channel;
  channel.is_read_ = true;
  Outcome outcome{};
  {
    const MutexUnlock unlock(mutex_);
    outcome = channel.source_->wait_and_read();
  }
  plain_ = nullptr;
  channel.is_read_ = false;
  if (guests_left_alone_) leave_guests_alone(false);
  if (outcome == Outcome::nothing) begin_turn();  // no bytes, so nobody has said it; what was posted may run now
  if (outcome != Outcome::more || channel.phase_ >= Phase::stopping) finish_reading(channel, outcome);
}

void Engine::finish_reading(Channel& channel, Outcome outcome) {
  if (outcome == Outcome::large && channel.phase_ != Phase::over) {
    disarm(channel);
    channel.is_parsed_ = true;
    to_parse_.push_back(&channel);
  }
  if (outcome == Outcome::rest && channel.phase_ == Phase::serving) {
    disarm(channel);
    channel.rests_ = true;
    channel.rest_ends_ = Clock::now() + rest;
    wake_monitor();
  }
  if (outcome == Outcome::ended) drain(channel);
  if (channel.phase_ >= Phase::stopping) {  // what began in the turn in which the stop came
    cancel_all(channel);
    return let_go_if_unused(channel);
  }
  if (outcome != Outcome::large && outcome != Outcome::rest) arm(channel);
}

/// All that is ready is read before anything is run. Returns false when this thread is no longer the driver.
bool Engine::wait_for_all(std::uint64_t mine) {
  Poller::Events events;
  const std::size_t count = wait_for_events(events);
  for (std::size_t i = 0; i < count; ++i) {
    if (!handle(events[i], mine)) return false;
  }
  for (const std::uint64_t id : always_ready_) {
    Channel* const channel = channel_of(id);
    if (channel != nullptr && channel->armed_) read_at_once(*channel);
  }
  return epoch_ == mine;
}

std::size_t Engine::wait_for_events(Poller::Events& events) {
  driver_ = Driver::waits;
  if (!std::exchange(waited_for_all_, true)) watch_all();
  plain_reads_ = 0;
  if (settings_.threads == 0 && !is_pumped()) {
    look_at_channels();  // there is no monitor
    look_at_end();
  }
  // A driver that never has to wait is to share its work sometime: then that clock goes on.
  const std::uint64_t was_idle = idle_tick_;
  const bool is_late = ticks_ != was_idle;
  const int limit = wait_limit();
  std::size_t count = is_late ? wait_unlocked(events, 0) : 0;
  const bool is_busy = count > 0;
  if (!is_busy) count = wait_unlocked(events, limit);
  begin_turn();
  if (is_busy) idle_tick_ = was_idle;
  return count;
}

std::size_t Engine::wait_unlocked(Poller::Events& events, int limit) {
  const MutexUnlock unlock(mutex_);
  return poller_.wait(events, limit);
}

/// Milliseconds; negative: none.
int Engine::wait_limit() const {
  if (is_pumped()) return 0;
  const auto is_to_be_read = [this](std::uint64_t id) TOOLWIRE_REQUIRES(mutex_) {
    const Channel* const channel = channel_of(id);
    return channel != nullptr && channel->armed_;
  };
  if (finished_ || std::ranges::any_of(always_ready_, is_to_be_read)) return 0;
  if (settings_.threads > 0) return -1;
  if (may_drive_jobs()) return 0;
  const bool all_serve =
      std::ranges::all_of(channels_, [](const auto& one) { return one->phase_ == Phase::serving && !one->rests_; });
  return all_serve && !channels_.empty() ? -1 : 1;
}

bool Engine::handle(const Poller::Event& event, std::uint64_t mine) {
  Channel* const channel = channel_of(event.id >> 1);
  if (channel == nullptr) return run_watch(event.id >> 1, event.interest, mine) && read_guest(event.id >> 1, mine);
  const bool is_output = (event.id & output_bit) != 0 || (event.interest & Poller::output) != 0;
  if (is_output && channel->waits_for_room_) {
    channel->waits_for_room_ = false;
    watch_output(*channel);
  }
  if ((event.id & output_bit) == 0) handle_input(*channel, event);
  return true;
}

void Engine::handle_input(Channel& channel, const Poller::Event& event) {
  if (channel.paused_ && (event.interest & Poller::hang_up) != 0) {
    channel.paused_ = false;
    channel.hung_up_ = true;
    return arm(channel);
  }
  if (!channel.armed_ || (event.interest & Poller::input) == 0) return;
  read_at_once(channel);
}

void Engine::read_at_once(Channel& channel) {
  channel.is_read_ = true;
  Outcome outcome{};
  {
    const MutexUnlock unlock(mutex_);
    outcome = channel.source_->read_at_once();
  }
  channel.is_read_ = false;
  if (outcome > Outcome::nothing || channel.phase_ >= Phase::stopping) finish_reading(channel, outcome);
}

void Engine::end_sleep_of_monitor() {
  monitor_sleeps_ = false;
  wake_up_.wake();
}

/// Whoever does not take what was made for it is not read.
void Engine::pause_those_behind() {
  for (const auto& channel : channels_) {
    if (channel->output_.above_hard()) pause(*channel);
  }
}

void Engine::pause(Channel& channel) {
  if (channel.hung_up_ || !channel.armed_) return;
  channel.armed_ = false;
  channel.paused_ = true;
  watch(channel);
  // It may have caught up since it was looked at, when nobody would have told.
  if (channel.output_.above_soft()) return;
  channel.paused_ = false;
  arm(channel);
}

void Engine::arm(Channel& channel) {
  if (channel.armed_ || channel.phase_ != Phase::serving || channel.input_over_) return;
  if (channel.is_parsed_ || channel.paused_ || channel.rests_) return;
  channel.armed_ = true;
  watch(channel);
  if (!channel.pollable_) interrupt_wait();  // it is read with a plain read
}

void Engine::disarm(Channel& channel) {
  channel.paused_ = false;
  channel.rests_ = false;
  channel.armed_ = false;
  watch(channel);
}

/// Brings the one wait up to date with what is wanted of a channel.
void Engine::watch(Channel& channel) {
  if (!waited_for_all_ || !channel.pollable_) return;
  const bool is_one_descriptor = channel.source_->output_descriptor() == channel.source_->input_descriptor();
  unsigned interest = channel.armed_ ? Poller::input : channel.paused_ ? Poller::hang_up : Poller::nothing;
  if (is_one_descriptor && channel.waits_for_room_) interest |= Poller::output;
  if (poller_.watch(channel.source_->input_descriptor(), event_of_input(channel.id_), interest)) return;
  if (std::ranges::find(always_ready_, channel.id_) == always_ready_.end()) always_ready_.push_back(channel.id_);
  interrupt_wait();
}

void Engine::watch_output(Channel& channel) {
  if (!waited_for_all_) return;
  const int descriptor = channel.source_->output_descriptor();
  if (descriptor == channel.source_->input_descriptor()) return watch(channel);
  const unsigned interest = channel.waits_for_room_ ? Poller::output : Poller::nothing;
  if (poller_.watch(descriptor, event_of_output(channel.id_), interest)) return;
  channel.waits_for_room_ = false;
  channel.must_wait_to_write_ = true;
}

void Engine::watch_all() {
  waited_for_all_ = true;
  for (const auto& channel : channels_) watch(*channel);
}

/// May miss a read that is about to wait: the monitor repeats it.
void Engine::interrupt_plain_read() {
  if (driver_ != Driver::waits || plain_ == nullptr) return;
  interrupt_wanted_ = true;
  plain_->source_->interrupt();
  wake_monitor();
}

void Engine::interrupt_wait() {
  if (waits_for_all()) poller_.wake();
}

Channel* Engine::channel_of(std::uint64_t id) const {
  const auto found = std::ranges::find_if(channels_, [&](const auto& one) { return one->id_ == id; });
  return found == channels_.end() ? nullptr : found->get();
}

}  // namespace toolwire::engine
