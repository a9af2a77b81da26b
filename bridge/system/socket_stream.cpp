#include "system/socket_stream.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

namespace toolwire::bridge {
namespace {

constexpr std::chrono::milliseconds farewell{500};
constexpr std::size_t max_discarded = std::size_t{1} << 20;  // bytes of a request that was refused

}  // namespace

SocketStream::~SocketStream() {
  ::shutdown(socket_, SHUT_WR);
  read_deadline_ = std::min(read_deadline_, Clock::now() + farewell);
  std::array<char, 4096> ignored{};
  std::size_t total = 0;
  for (ssize_t count = 0; total < max_discarded && (count = read(ignored.data(), ignored.size())) > 0;) {
    total += static_cast<std::size_t>(count);
  }
  ::close(socket_);
}

bool SocketStream::wait(short events, Clock::time_point deadline) const {
  pollfd source{socket_, events, 0};
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    const int ready = ::poll(&source, 1, static_cast<int>(std::clamp<std::int64_t>(left, 0, 3'600'000)));
    if (ready > 0) return true;
    if (ready == 0 && left <= 3'600'000) return false;
    if (ready < 0 && errno != EINTR) return false;
  }
}

bool SocketStream::wait_readable() const { return wait(POLLIN, read_deadline_); }
bool SocketStream::wait_writable() const { return wait(POLLOUT, write_deadline_); }

ssize_t SocketStream::read(char* bytes, std::size_t count) {
  for (;;) {
    if (!wait_readable()) return -1;
    const ssize_t got = ::recv(socket_, bytes, count, MSG_DONTWAIT);
    if (got >= 0 || (errno != EAGAIN && errno != EINTR)) return got;
  }
}

ssize_t SocketStream::write(const char* bytes, std::size_t count) {
  if (write_deadline_ == Clock::time_point::max() && write_time_ != std::chrono::milliseconds::max()) {
    write_deadline_ = Clock::now() + write_time_;
  }
  for (;;) {
    if (!wait_writable()) return -1;
    const ssize_t sent = ::send(socket_, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent >= 0 || (errno != EAGAIN && errno != EINTR)) return sent;
  }
}

FirstOf wait_for_event_or_hang_up(int event, int socket) {
  std::array<pollfd, 2> sources{{{event, POLLIN, 0}, {socket, POLLRDHUP, 0}}};
  for (;;) {
    const int ready = ::poll(sources.data(), sources.size(), -1);
    if (ready < 0 && errno != EINTR) throw std::system_error(errno, std::system_category(), "poll");
    if (ready <= 0) continue;
    if (sources[0].revents != 0) return FirstOf::event;
    if ((sources[1].revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL)) != 0) return FirstOf::hang_up;
  }
}

}  // namespace toolwire::bridge
