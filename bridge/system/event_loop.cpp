#include "system/event_loop.hpp"

#include <sys/epoll.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include <toolwire/system/signals_blocked.hpp>

namespace toolwire::bridge {
namespace {

constexpr std::uint64_t wake_tag = ~std::uint64_t{0};

std::uint64_t tag_of(int descriptor, std::uint32_t generation) {
  return std::uint64_t{generation} << 32 | static_cast<std::uint32_t>(descriptor);
}

system::FileDescriptor checked(int number, const char* what) {
  if (number < 0) throw std::system_error(errno, std::generic_category(), what);
  return system::FileDescriptor(number);
}

}  // namespace

EventLoop::EventLoop()
    : epoll_(checked(::epoll_create1(EPOLL_CLOEXEC), "epoll_create1")),
      wake_(checked(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "eventfd")) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = wake_tag;
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, wake_.get(), &event) != 0)
    throw std::system_error(errno, std::generic_category(), "epoll_ctl");
  // Signals belong to the program's own threads; a broken connection is an error here, not a signal.
  const system::SignalsBlocked inherited_by_the_thread;
  thread_ = std::thread([this] { run(); });
}

void EventLoop::post_or_run(Job job) {
  if (!take(job)) job();
}

/// Moves the job only if it is taken.
bool EventLoop::take(Job& job) {
  {
    const std::lock_guard lock(mutex_);
    if (ended_) return false;
    posted_.push_back(std::move(job));
    if (posted_.size() > 1) return true;  // the event was set with the first
  }
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(wake_.get(), &one, sizeof one);
  return true;
}

void EventLoop::stop() {
  const std::lock_guard lock(joining_);
  if (!thread_.joinable()) return;
  post([this] { stopping_ = true; });
  thread_.join();
}

bool EventLoop::watch(int descriptor, std::uint32_t events, Handler handler) {
  const std::uint32_t generation = ++last_generation_;
  epoll_event event{};
  event.events = events;
  event.data.u64 = tag_of(descriptor, generation);
  // Its owner may have closed it and opened another with the same number, of which epoll knows nothing.
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, descriptor, &event) != 0 &&
      ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, descriptor, &event) != 0)
    return false;
  watched_.insert_or_assign(descriptor, Watched{std::make_shared<const Handler>(std::move(handler)), generation});
  return true;
}

void EventLoop::unwatch(int descriptor) {
  if (watched_.erase(descriptor) > 0) ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, descriptor, nullptr);
}

EventLoop::Timer EventLoop::at(Clock::time_point time, Job job) {
  const Timer timer{time, ++last_timer_};
  timers_.emplace(timer, std::move(job));
  return timer;
}

int EventLoop::time_to_wait() {
  if (timers_.empty()) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(timers_.begin()->first.first - Clock::now()).count();
  return static_cast<int>(std::clamp<decltype(left)>(left, 0, 1'000'000));
}

void EventLoop::run() {
  std::array<epoll_event, 256> events{};
  while (!stopping_ || !end_unless_posted()) {
    const int count = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), time_to_wait());
    for (int i = 0; i < count; ++i) {
      const epoll_event& event = events[static_cast<std::size_t>(i)];
      handle(event.data.u64, event.events);
    }
    run_due();
  }
}

/// Ends only when nothing is posted, so that every job that was taken is run.
bool EventLoop::end_unless_posted() {
  const std::lock_guard lock(mutex_);
  ended_ = posted_.empty();
  return ended_;
}

void EventLoop::handle(std::uint64_t tag, std::uint32_t events) {
  if (tag == wake_tag) return run_posted();
  const auto found = watched_.find(static_cast<int>(static_cast<std::uint32_t>(tag)));
  // A handler of the same round may have unwatched it, and its number may belong to another descriptor by now.
  if (found == watched_.end() || found->second.generation != static_cast<std::uint32_t>(tag >> 32)) return;
  const std::shared_ptr<const Handler> handler = found->second.handler;  // it may unwatch itself
  (*handler)(events);
}

void EventLoop::run_posted() {
  std::uint64_t count = 0;
  [[maybe_unused]] const auto taken = ::read(wake_.get(), &count, sizeof count);
  std::vector<Job> jobs;
  {
    const std::lock_guard lock(mutex_);
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

}  // namespace toolwire::bridge
