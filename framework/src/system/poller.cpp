#include "system/poller.hpp"

#include <sys/epoll.h>

#include <cerrno>
#include <system_error>

namespace toolwire::system {
namespace {

constexpr std::uint64_t id_of_wake_event = ~std::uint64_t{0};

std::uint32_t flags_of(unsigned interest) {
  return ((interest & Poller::input) != 0 ? EPOLLIN | EPOLLRDHUP : 0u) |
         ((interest & Poller::output) != 0 ? EPOLLOUT : 0u) | ((interest & Poller::hang_up) != 0 ? EPOLLRDHUP : 0u);
}

/// An error or a hang-up concerns whoever waits, for whatever.
unsigned interest_of(std::uint32_t flags) {
  if ((flags & (EPOLLERR | EPOLLHUP)) != 0) return Poller::input | Poller::output | Poller::hang_up;
  return ((flags & EPOLLIN) != 0 ? Poller::input : 0u) | ((flags & EPOLLOUT) != 0 ? Poller::output : 0u) |
         ((flags & EPOLLRDHUP) != 0 ? Poller::input | Poller::hang_up : 0u);
}

}  // namespace

Poller::Poller() : epoll_{::epoll_create1(EPOLL_CLOEXEC)} {
  if (!epoll_.is_open()) throw std::system_error(errno, std::generic_category(), "epoll_create1");
  if (!watch(woken_.descriptor(), id_of_wake_event, input))
    throw std::system_error(errno, std::generic_category(), "epoll_ctl");
}

bool Poller::watch(int descriptor, std::uint64_t id, unsigned interest) const {
  if (descriptor < 0) return interest == nothing;
  epoll_event event{.events = flags_of(interest), .data = {.u64 = id}};
  if (interest == nothing) {
    // Not with an empty set: a hang-up would be told all the same, for ever.
    ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, descriptor, &event);
    return true;
  }
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, descriptor, &event) == 0) return true;
  return errno == EEXIST && ::epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, descriptor, &event) == 0;
}

std::size_t Poller::wait(Events& events, int milliseconds) const {
  std::array<epoll_event, max_events> told;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the kernel
  const int count = ::epoll_wait(epoll_.get(), told.data(), static_cast<int>(told.size()), milliseconds);
  std::size_t found = 0;
  for (int i = 0; i < count; ++i) {
    const auto& event = told[static_cast<std::size_t>(i)];
    const bool is_wake = event.data.u64 == id_of_wake_event;
    if (is_wake) woken_.clear();
    events[found++] = {event.data.u64, is_wake ? nothing : interest_of(event.events)};
  }
  return found;
}

}  // namespace toolwire::system
