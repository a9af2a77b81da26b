#include "http/call_in_hand.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <system_error>
#include <utility>

namespace toolwire::bridge::http {

CallInHandResult::CallInHandResult() : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (event_ < 0) throw std::system_error(errno, std::system_category(), "eventfd");
}

CallInHandResult::~CallInHandResult() { ::close(event_); }

void CallInHandResult::set(ToolResult result) {
  const MutexLock lock(mutex_);
  if (std::exchange(is_set_, true)) return;
  result_ = std::move(result);
  const std::uint64_t one = 1;
  static_cast<void>(!::write(event_, &one, sizeof one));  // cannot fail: it is written once
}

std::optional<ToolResult> CallInHandResult::take() {
  const MutexLock lock(mutex_);
  return std::exchange(result_, std::nullopt);
}

std::optional<ToolResult> wait_for_result(CallInHandResult& result, int socket, std::stop_source& stop) {
  std::array<pollfd, 2> sources{{{result.descriptor(), POLLIN, 0}, {socket, POLLRDHUP, 0}}};
  for (;;) {
    const int ready = ::poll(sources.data(), sources.size(), -1);
    if (ready < 0 && errno != EINTR) throw std::system_error(errno, std::system_category(), "poll");
    if (ready <= 0) continue;
    if (sources[0].revents != 0) return result.take();
    if ((sources[1].revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL)) != 0) break;
  }
  stop.request_stop();
  return {};
}

}  // namespace toolwire::bridge::http
