#include "stream.hpp"

#include <sys/socket.h>

#include <cerrno>

namespace toolwire::redis {
namespace {

Moved moved(ssize_t count) {
  if (count >= 0) return {.count = static_cast<std::size_t>(count)};
  if (errno == EAGAIN || errno == EINTR) return {.must_wait = true};
  return {.error = errno};
}

}  // namespace

Moved send_some(int socket, std::string_view bytes) {
  return moved(::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL));
}

Moved receive_some(int socket, std::span<char> into) { return moved(::recv(socket, into.data(), into.size(), 0)); }

}  // namespace toolwire::redis
