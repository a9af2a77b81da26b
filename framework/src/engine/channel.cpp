#include "engine/channel.hpp"

#include <utility>

#include "engine/engine.hpp"

namespace toolwire::engine {
namespace {

class Posted final : public Job {
 public:
  explicit Posted(std::function<void()> work) : work_(std::move(work)) {}
  void run() override { work_(); }

 private:
  std::function<void()> work_;
};

}  // namespace

Channel::Channel(std::shared_ptr<Engine> engine, Source& source, SendQueue& output)
    : engine_(std::move(engine)), output_(output), source_(&source), pollable_(source.input_descriptor() >= 0) {}

Channel::~Channel() = default;

void Channel::turn_begins() {
  const MutexLock lock(engine_->mutex_);
  engine_->begin_turn();
}

void Channel::enqueue(std::shared_ptr<Job> job, std::size_t bytes) {
  const MutexLock lock(engine_->mutex_);
  if (phase_ == Phase::over) return;
  queue_.push_back({std::move(job), bytes});
  ++engine_->queued_;
  change_queued_bytes(bytes);
}

void Channel::post(std::function<void()> work) {
  auto posted = std::make_shared<Posted>(std::move(work));
  const MutexLock lock(engine_->mutex_);
  if (phase_ == Phase::over) return;
  queue_.push_back({std::move(posted), 0});
  ++engine_->queued_;
  if (!engine_->driver_sees_to_it()) engine_->wake_one();
}

void Channel::wake_for_jobs() {
  const MutexLock lock(engine_->mutex_);
  if (!queue_.empty() && !engine_->driver_sees_to_it()) engine_->wake_one();
}

void Channel::job_over() {
  std::deque<Work> swept;  // destroyed outside of the lock
  const MutexLock lock(engine_->mutex_);
  if (++over_ * 2 <= queue_.size()) return;
  over_ = 0;
  std::deque<Work> kept;
  for (Work& work : queue_) {
    const bool over = work.job->is_over();
    if (over) change_queued_bytes(-work.bytes);
    (over ? swept : kept).push_back(std::move(work));
  }
  engine_->queued_ -= swept.size();
  queue_.swap(kept);
}

void Channel::flush_from_outside() {
  if (!engine_->is_inside()) output_.flush(Transport::Blocking::no);
}

void Channel::output_stalled() {
  const MutexLock lock(engine_->mutex_);
  if (phase_ == Phase::over) return;
  if ((engine_->only_ != this || engine_->is_pumped()) && !output_.peer_gone() && !must_wait_to_write_) {
    waits_for_room_ = true;
    engine_->watch_output(*this);
    if (!must_wait_to_write_) return;
  }
  engine_->flush_wanted_ = true;
  engine_->wake_one();
}

void Channel::output_caught_up() {
  const MutexLock lock(engine_->mutex_);
  if (!queue_.empty()) engine_->changed_.notify_all();
  if (!paused_) return;
  paused_ = false;
  engine_->arm(*this);
}

void Channel::wait_for_room(const std::stop_token& stop) {
  if (may_wait()) output_.wait_below_soft(stop);
}

bool Channel::may_wait() const { return engine_->may_wait(); }

Timers::Handle Channel::at(Timers::Clock::time_point when, std::function<void()> what) {
  auto [handle, earliest] = engine_->timers_.add(when, std::move(what), this);
  if (earliest) {
    const MutexLock lock(engine_->mutex_);
    engine_->wake_monitor();
  }
  return handle;
}

bool Channel::has_timers() const {
  const MutexLock lock(engine_->mutex_);
  return engine_->may_wait() || engine_->is_pumped();
}

void Channel::forget(const Timers::Handle& timer) { engine_->timers_.cancel(timer); }

}  // namespace toolwire::engine
