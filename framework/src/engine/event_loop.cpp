#include "toolwire/detail/event_loop.hpp"

#include <array>
#include <cerrno>
#include <system_error>

namespace toolwire {
namespace {

constexpr std::uint64_t wake_tag = ~std::uint64_t{0};
constexpr std::uint64_t timer_tag = wake_tag - 1;

std::uint64_t tag_of(int descriptor, std::uint32_t generation) {
  return std::uint64_t{generation} << 32 | static_cast<std::uint32_t>(descriptor);
}

}  // namespace

EventLoop::EventLoop(std::shared_ptr<Engine> engine)
    : engine_(engine ? std::move(engine) : std::make_shared<Engine>()) {
  if (!set_.put(wake_.descriptor(), system::ready::to_read, wake_tag) ||
      !set_.put(timer_.descriptor(), system::ready::to_read, timer_tag))
    throw std::system_error(errno, std::generic_category(), "epoll_ctl");
  ready_ = engine_->watch(set_.descriptor(), Engine::readable, [this](unsigned) { handle_ready(); });
}

void EventLoop::post_or_run(Job job) {
  if (!take(job)) job();
}

/// Moves the job only if it is taken.
bool EventLoop::take(Job& job) {
  const std::lock_guard lock(mutex_);
  if (ended_) return false;
  posted_.push_back(std::move(job));
  if (posted_.size() == 1) wake_.set();
  return true;
}

void EventLoop::stop() {
  const std::lock_guard lock(stopping_);
  ready_.end();
  while (!end_unless_posted()) run_posted();
  engine_.reset();
}

bool EventLoop::watch(int descriptor, std::uint32_t wanted, Handler handler) {
  return watch(descriptor, wanted, std::move(handler), Again::always);
}

/// After an event the system is silent until it is asked again: one that was forgotten tells one more at most.
bool EventLoop::watch_borrowed(int descriptor, std::uint32_t wanted, Handler handler) {
  return watch(descriptor, wanted, std::move(handler), Again::when_asked);
}

bool EventLoop::watch(int descriptor, std::uint32_t wanted, Handler handler, Again again) {
  const std::uint32_t generation = ++last_generation_;
  if (!set_.put(descriptor, wanted, tag_of(descriptor, generation), again)) return false;
  watched_.insert_or_assign(descriptor, Watched{std::make_shared<const Handler>(std::move(handler)), generation,
                                                again == Again::when_asked ? wanted : 0});
  return true;
}

void EventLoop::ask_again(int descriptor, std::uint32_t generation) const {
  const auto found = watched_.find(descriptor);
  if (found == watched_.end() || found->second.generation != generation || found->second.once == 0) return;
  set_.change(descriptor, found->second.once, tag_of(descriptor, generation), Again::when_asked);
}

void EventLoop::unwatch(int descriptor) {
  if (watched_.erase(descriptor) > 0) set_.take_out(descriptor);
}

EventLoop::Timer EventLoop::at(Clock::time_point time, Job job) {
  const Timer timer{time, ++last_timer_};
  timers_.emplace(timer, std::move(job));
  return timer;
}

/// Called by the engine as long as anything is ready.
void EventLoop::handle_ready() {
  std::array<system::ReadySet::Event, 256> events;
  const std::size_t count = set_.look(events);
  for (std::size_t i = 0; i < count; ++i) handle(events[i]);
  run_due();
  set_timer();
}

/// Ends only when nothing is posted, so that every job that was taken is run.
bool EventLoop::end_unless_posted() {
  const std::lock_guard lock(mutex_);
  ended_ = posted_.empty();
  return ended_;
}

void EventLoop::handle(const system::ReadySet::Event& event) {
  if (event.tag == wake_tag) return run_posted();
  if (event.tag == timer_tag) return void(timer_rings_ = true);  // what is due is run after all events
  const int descriptor = static_cast<int>(static_cast<std::uint32_t>(event.tag));
  const auto generation = static_cast<std::uint32_t>(event.tag >> 32);
  const auto found = watched_.find(descriptor);
  // A handler of the same round may have unwatched it, and its number may belong to another descriptor by now.
  if (found == watched_.end() || found->second.generation != generation) return;
  const std::shared_ptr<const Handler> handler = found->second.handler;  // it may unwatch itself
  (*handler)(event.ready);
  ask_again(descriptor, generation);
}

void EventLoop::run_posted() {
  std::vector<Job> jobs;
  {
    const std::lock_guard lock(mutex_);
    wake_.clear();
    jobs.swap(posted_);
  }
  for (Job& job : jobs) {
    job();
    job = nullptr;  // destroyed now, not after the last of many
  }
}

void EventLoop::run_due() {
  const Clock::time_point now = Clock::now();
  while (!timers_.empty() && timers_.begin()->first.first <= now) {
    const Job job = std::move(timers_.begin()->second);
    timers_.erase(timers_.begin());
    job();
  }
}

/// One that was cancelled may ring: most deadlines are, and setting it anew each time would cost more.
void EventLoop::set_timer() {
  const bool is_set = timer_set_for_ && !timer_rings_;
  if (timers_.empty() ? !timer_rings_ : is_set && *timer_set_for_ <= timers_.begin()->first.first) return;
  timer_set_for_.reset();
  if (!timers_.empty()) timer_set_for_ = timers_.begin()->first.first;
  timer_.set(timer_set_for_);
  timer_rings_ = false;
}

}  // namespace toolwire
