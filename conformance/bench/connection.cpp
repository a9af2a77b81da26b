#include "bench/connection.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace toolwire::bench {
namespace {
constexpr std::size_t least_room = 65536;  // what a pipe holds
}

Connection::Connection(int to_server, int from_server)
    : to_server_(to_server), from_server_(from_server), buffer_(4 * least_room) {}

void Connection::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto count = ::write(to_server_, bytes.data(), bytes.size());
    if (count > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (count < 0 && errno == EAGAIN) {
      wait_until_writable();
    } else if (count < 0 && errno != EINTR) {
      throw ServerGone("the server no longer reads its input");
    }
  }
}

bool Connection::wait_until_writable() {
  for (;;) {
    struct pollfd ends[2] = {{to_server_, POLLOUT, 0}, {from_server_, POLLIN, 0}};
    if (::poll(ends, 2, -1) < 0) continue;
    if ((ends[0].revents & (POLLOUT | POLLERR)) != 0) return true;
    receive();
  }
}

void Connection::receive() {
  if (begin_ == end_) begin_ = scanned_ = end_ = 0;
  if (buffer_.size() - end_ < least_room && begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    scanned_ -= begin_;
    begin_ = 0;
  }
  if (buffer_.size() - end_ < least_room) buffer_.resize(buffer_.size() * 2);
  for (;;) {
    const auto count = ::read(from_server_, buffer_.data() + end_, buffer_.size() - end_);
    if (count > 0) {
      end_ += static_cast<std::size_t>(count);
      return;
    }
    if (count == 0 || errno != EINTR) throw ServerGone("the server closed its output or was ended for taking too long");
  }
}

std::optional<std::string_view> Connection::buffered_line() {
  const char* from = buffer_.data() + scanned_;
  const void* found = std::memchr(from, '\n', end_ - scanned_);
  if (found == nullptr) {
    scanned_ = end_;
    return std::nullopt;
  }
  const auto stop = static_cast<std::size_t>(static_cast<const char*>(found) - buffer_.data());
  const std::string_view line(buffer_.data() + begin_, stop - begin_);
  begin_ = scanned_ = stop + 1;
  return line;
}

std::string_view Connection::line() {
  for (;;) {
    if (const auto line = buffered_line()) return *line;
    receive();
  }
}

std::optional<std::string_view> Connection::line_before(Time limit) {
  for (;;) {
    if (const auto line = buffered_line()) return line;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(limit - Clock::now()).count();
    if (left <= 0) return std::nullopt;
    struct pollfd output = {from_server_, POLLIN, 0};
    if (::poll(&output, 1, static_cast<int>(left)) > 0) receive();
  }
}

}  // namespace toolwire::bench
