// A port on loopback that accepts connections, for programs that must not be able to make one, or that it
// is handed to. Never answers.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace toolwire_test {

/// One thread. Throws std::system_error if there is no loopback.
class ListeningSocket {
 public:
  ListeningSocket() {
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address_;
    auto* const address = reinterpret_cast<sockaddr*>(&address_);
    if (::bind(socket_, address, size) != 0 || ::listen(socket_, backlog) != 0 ||
        ::getsockname(socket_, address, &size) != 0)
      throw std::system_error(errno, std::system_category(), "a socket on loopback");
  }
  ~ListeningSocket() { ::close(socket_); }
  ListeningSocket(const ListeningSocket&) = delete;
  ListeningSocket& operator=(const ListeningSocket&) = delete;

  int descriptor() const { return socket_; }
  int port() const { return ntohs(address_.sin_port); }

 private:
  static constexpr int backlog = 128;
  const int socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address_{};
};

}  // namespace toolwire_test
