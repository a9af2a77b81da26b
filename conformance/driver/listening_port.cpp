#include "driver/listening_port.hpp"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace toolwire::conformance {

ListeningPort::ListeningPort() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (::bind(socket_, reinterpret_cast<const sockaddr*>(&address), size) != 0 || ::listen(socket_, 8) != 0 ||
      ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    const int error = errno;
    ::close(socket_);
    throw std::system_error(error, std::generic_category(), "a port to listen on");
  }
  number_ = ntohs(address.sin_port);
}

ListeningPort::~ListeningPort() { ::close(socket_); }

bool ListeningPort::was_visited() const {
  const int visitor = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
  if (visitor >= 0) ::close(visitor);
  return visitor >= 0;
}

}  // namespace toolwire::conformance
