// An engine that a loop of the program drives, a step at a time.
#include <algorithm>
#include <utility>

#include "engine/engine.hpp"

namespace toolwire::engine {
namespace {

constexpr std::chrono::milliseconds look_again{1};  // at those who leave or rest

/// For an event that has a meaning by itself.
constexpr std::uint64_t id_of_timer = 0;

}  // namespace

int Engine::descriptor() {
  const MutexLock lock(mutex_);
  if (timer_) return poller_.descriptor();
  timer_.emplace();
  poller_.watch(timer_->descriptor(), id_of_timer, system::Poller::input);
  waited_for_all_ = true;
  watch_all();
  driver_ = Driver::waits;
  poller_.wake();
  return poller_.descriptor();
}

bool Engine::run_ready(std::size_t max_jobs) {
  descriptor();
  const MutexLock lock(mutex_);
  if (finished_) return false;
  const Engine* const outside = enter();
  step(max_jobs);
  leave(outside);
  driver_ = Driver::waits;
  timer_->set(finished_ ? std::nullopt : next_step());
  if (!finished_ && is_anything_ready()) poller_.wake();
  if (finished_) timers_.close();
  return !finished_;
}

void Engine::step(std::size_t max_jobs) {
  driver_ = Driver::handling;
  if (const auto next = timers_.next(); next && *next <= Clock::now()) run_timers();
  wait_for_all(epoch_);
  for (std::size_t ran = 0; ran < max_jobs && may_drive_jobs(); ++ran) {
    driver_ = Driver::outside;
    run_next();
    driver_ = Driver::handling;
  }
  driver_ = Driver::outside;
  flush_ready();
  driver_ = Driver::handling;
  pause_those_behind();
  driver_ = Driver::outside;  // nothing is being handled
  look_at_channels();
  look_at_end();
}

/// Also where there is nothing to be read.
bool Engine::is_anything_ready() const {
  const auto is_to_be_read = [this](std::uint64_t id) TOOLWIRE_REQUIRES(mutex_) {
    const Channel* const channel = channel_of(id);
    return channel != nullptr && channel->armed_;
  };
  return may_drive_jobs() || std::ranges::any_of(always_ready_, is_to_be_read);
}

std::optional<Timers::Clock::time_point> Engine::next_step() const {
  const auto next = timers_.next();
  const auto is_calm = [](const auto& one) { return one->phase_ == Phase::serving && !one->rests_; };
  if (!channels_.empty() && std::ranges::all_of(channels_, is_calm)) return next;
  const auto soon = Clock::now() + look_again;
  return next ? std::min(*next, soon) : soon;
}

}  // namespace toolwire::engine
