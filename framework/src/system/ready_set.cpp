#include "toolwire/system/ready_set.hpp"

#include <sys/epoll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

namespace toolwire::system {
namespace {

std::uint32_t flags_of(std::uint32_t wanted, ReadySet::Again again) {
  return ((wanted & ready::to_read) != 0 ? EPOLLIN : 0U) | ((wanted & ready::to_write) != 0 ? EPOLLOUT : 0U) |
         (again == ReadySet::Again::when_asked ? EPOLLONESHOT : 0U);
}

std::uint32_t ready_of(std::uint32_t flags) {
  return ((flags & EPOLLIN) != 0 ? ready::to_read : 0U) | ((flags & EPOLLOUT) != 0 ? ready::to_write : 0U) |
         ((flags & (EPOLLERR | EPOLLHUP)) != 0 ? ready::failed : 0U);
}

}  // namespace

ReadySet::ReadySet() : epoll_{::epoll_create1(EPOLL_CLOEXEC)} {
  if (!epoll_.is_open()) throw std::system_error(errno, std::generic_category(), "epoll_create1");
}

bool ReadySet::control(int operation, int descriptor, std::uint32_t wanted, std::uint64_t tag, Again again) const {
  epoll_event event{.events = flags_of(wanted, again), .data = {.u64 = tag}};
  return ::epoll_ctl(epoll_.get(), operation, descriptor, &event) == 0;
}

/// Its owner may have closed it and opened another with the same number, of which the system knows nothing.
bool ReadySet::put(int descriptor, std::uint32_t wanted, std::uint64_t tag, Again again) const {
  return change(descriptor, wanted, tag, again) || control(EPOLL_CTL_ADD, descriptor, wanted, tag, again);
}

bool ReadySet::change(int descriptor, std::uint32_t wanted, std::uint64_t tag, Again again) const {
  return control(EPOLL_CTL_MOD, descriptor, wanted, tag, again);
}

void ReadySet::take_out(int descriptor) const { ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, descriptor, nullptr); }

std::size_t ReadySet::look(std::span<Event> into) const {
  std::array<epoll_event, 256> told;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the kernel
  const int count = ::epoll_wait(epoll_.get(), told.data(), static_cast<int>(std::min(told.size(), into.size())), 0);
  for (int i = 0; i < count; ++i) {
    const auto place = static_cast<std::size_t>(i);
    into[place] = {told[place].data.u64, ready_of(told[place].events)};
  }
  return static_cast<std::size_t>(std::max(count, 0));
}

}  // namespace toolwire::system
