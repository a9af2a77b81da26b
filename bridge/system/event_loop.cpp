#include "system/event_loop.hpp"

#include <sys/epoll.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace toolwire::bridge {
namespace {

constexpr std::uint64_t wake_tag = ~std::uint64_t{0};
constexpr std::uint64_t timer_tag = wake_tag - 1;

std::uint64_t tag_of(int descriptor, std::uint32_t generation) {
  return std::uint64_t{generation} << 32 | static_cast<std::uint32_t>(descriptor);
}

system::FileDescriptor checked(int number, const char* what) {
  if (number < 0) throw std::system_error(errno, std::generic_category(), what);
  return system::FileDescriptor(number);
}

}  // namespace

EventLoop::EventLoop(std::shared_ptr<Engine> engine)
    : epoll_(checked(::epoll_create1(EPOLL_CLOEXEC), "epoll_create1")),
      engine_(engine ? std::move(engine) : std::make_shared<Engine>()) {
  if (!watch_own(wake_.descriptor(), wake_tag) || !watch_own(timer_.descriptor(), timer_tag))
    throw std::system_error(errno, std::generic_category(), "epoll_ctl");
  ready_ = engine_->watch(epoll_.get(), Engine::readable, [this](unsigned) { handle_ready(); });
}

bool EventLoop::watch_own(int descriptor, std::uint64_t tag) const {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = tag;
  return ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, descriptor, &event) == 0;
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

bool EventLoop::watch(int descriptor, std::uint32_t events, Handler handler) {
  return watch(descriptor, events, std::move(handler), 0);
}

/// After an event the system is silent until it is asked again: one that was forgotten tells one more at most.
bool EventLoop::watch_borrowed(int descriptor, std::uint32_t events, Handler handler) {
  return watch(descriptor, events | EPOLLONESHOT, std::move(handler), events | EPOLLONESHOT);
}

bool EventLoop::watch(int descriptor, std::uint32_t events, Handler handler, std::uint32_t once) {
  const std::uint32_t generation = ++last_generation_;
  epoll_event event{};
  event.events = events;
  event.data.u64 = tag_of(descriptor, generation);
  // Its owner may have closed it and opened another with the same number, of which epoll knows nothing.
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, descriptor, &event) != 0 &&
      ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, descriptor, &event) != 0)
    return false;
  watched_.insert_or_assign(descriptor, Watched{std::make_shared<const Handler>(std::move(handler)), generation, once});
  return true;
}

void EventLoop::ask_again(int descriptor, std::uint32_t generation) const {
  const auto found = watched_.find(descriptor);
  if (found == watched_.end() || found->second.generation != generation || found->second.once == 0) return;
  epoll_event event{};
  event.events = found->second.once;
  event.data.u64 = tag_of(descriptor, generation);
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, descriptor, &event);
}

void EventLoop::unwatch(int descriptor) {
  if (watched_.erase(descriptor) > 0) ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, descriptor, nullptr);
}

EventLoop::Timer EventLoop::at(Clock::time_point time, Job job) {
  const Timer timer{time, ++last_timer_};
  timers_.emplace(timer, std::move(job));
  return timer;
}

/// Called by the engine as long as anything is ready.
void EventLoop::handle_ready() {
  std::array<epoll_event, 256> events{};
  const int count = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), 0);
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events[static_cast<std::size_t>(i)];
    handle(event.data.u64, event.events);
  }
  run_due();
  set_timer();
}

/// Ends only when nothing is posted, so that every job that was taken is run.
bool EventLoop::end_unless_posted() {
  const std::lock_guard lock(mutex_);
  ended_ = posted_.empty();
  return ended_;
}

void EventLoop::handle(std::uint64_t tag, std::uint32_t events) {
  if (tag == wake_tag) return run_posted();
  if (tag == timer_tag) return void(timer_rings_ = true);  // what is due is run after all events
  const int descriptor = static_cast<int>(static_cast<std::uint32_t>(tag));
  const auto generation = static_cast<std::uint32_t>(tag >> 32);
  const auto found = watched_.find(descriptor);
  // A handler of the same round may have unwatched it, and its number may belong to another descriptor by now.
  if (found == watched_.end() || found->second.generation != generation) return;
  const std::shared_ptr<const Handler> handler = found->second.handler;  // it may unwatch itself
  (*handler)(events);
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

}  // namespace toolwire::bridge
