#include "stream.hpp"

#include <sys/socket.h>

#include <cerrno>
#include <system_error>

#include <toolwire/system/ready_set.hpp>

namespace toolwire::streams {
namespace {

/// `error`: errno, after a call that moved nothing.
Moved not_moved(int error, std::uint32_t awaited) {
  if (error == EAGAIN || error == EINTR) return {.waits_for = awaited};
  return {.error = std::generic_category().message(error)};
}

}  // namespace

Moved send_some(int socket, std::string_view bytes) {
  const ssize_t count = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (count < 0) return not_moved(errno, system::ready::to_write);
  return {.count = static_cast<std::size_t>(count)};
}

Moved receive_some(int socket, std::span<char> into) {
  const ssize_t count = ::recv(socket, into.data(), into.size(), 0);
  if (count < 0) return not_moved(errno, system::ready::to_read);
  if (count == 0) return {.error = "it has closed the connection"};
  return {.count = static_cast<std::size_t>(count)};
}

}  // namespace toolwire::streams
