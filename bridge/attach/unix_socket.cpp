#include "attach/unix_socket.hpp"

#include <sys/socket.h>

#include <cerrno>
#include <utility>

#include <toolwire/system/unix_address.hpp>

namespace toolwire::attach {

UnixPeer connect_to(const std::string& path, int flags) {
  const system::UnixAddress address{path};
  if (address.error != 0) return {.error = address.error};
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0));
  ucred peer{};
  socklen_t size = sizeof peer;
  if (!socket.is_open() || ::connect(socket.get(), address.get(), address.size()) != 0 ||
      ::getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
    return {.error = errno};
  return {.socket = std::move(socket), .process = peer.pid, .user = peer.uid};
}

}  // namespace toolwire::attach
