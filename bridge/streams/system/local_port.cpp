#include "local_port.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>
#include <system_error>

namespace toolwire::streams {

LocalPort::LocalPort() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
  constexpr int waiting = 4;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const name = reinterpret_cast<sockaddr*>(&address);
  if (!socket_.is_open() || ::bind(socket_.get(), name, size) != 0 || ::listen(socket_.get(), waiting) != 0 ||
      ::getsockname(socket_.get(), name, &size) != 0)
    throw std::system_error(errno, std::generic_category(), "a port of this machine");
  port_ = ntohs(address.sin_port);
}

system::FileDescriptor LocalPort::accept() const {
  system::FileDescriptor peer(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  const int on = 1;
  if (peer.is_open()) ::setsockopt(peer.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return peer;
}

}  // namespace toolwire::streams
