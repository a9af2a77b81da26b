// The events of a descriptor that an EventLoop waits for and reports.
#pragma once

#include <sys/epoll.h>

#include <cstdint>

namespace toolwire::bridge::loop_event {

inline constexpr std::uint32_t readable = EPOLLIN;
inline constexpr std::uint32_t writable = EPOLLOUT;
inline constexpr std::uint32_t failed = EPOLLERR | EPOLLHUP;  ///< Told without being asked for.

}  // namespace toolwire::bridge::loop_event
