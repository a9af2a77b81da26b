#include "attach/unix_socket.hpp"

#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace toolwire::attach {

UnixPeer connect_to(const std::string& path, int flags) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return {.error = ENAMETOOLONG};
  std::ranges::copy(path, address.sun_path);
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0));
  ucred peer{};
  socklen_t size = sizeof peer;
  if (!socket.is_open() || ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
    return {.error = errno};
  return {.socket = std::move(socket), .process = peer.pid, .user = peer.uid};
}

}  // namespace toolwire::attach
