#include <toolwire/transport.hpp>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "toolwire/system/unix_address.hpp"
#include "transport/descriptor_transport.hpp"

namespace toolwire {
namespace {

[[noreturn]] void fail(int error, const std::string& path) {
  throw std::system_error(error, std::generic_category(), "cannot connect to the Unix socket \"" + path + "\"");
}

[[noreturn]] void fail(std::uint16_t port) {
  throw std::system_error(errno, std::generic_category(),
                          "cannot connect to port " + std::to_string(port) + " of 127.0.0.1");
}

bool say(const system::FileDescriptor& socket, const std::string& token) {
  const std::string line = token + "\n";
  return ::send(socket.get(), line.data(), line.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(line.size());
}

}  // namespace

std::unique_ptr<Transport> connect_unix_socket(const std::string& path, const std::string& token) {
  const system::UnixAddress address{path};
  if (address.error != 0) fail(address.error, path);
  system::FileDescriptor socket{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  if (!socket.is_open()) fail(errno, path);
  // A local connect that a signal breaks off has not begun, unlike one over TCP: it is simply repeated.
  while (::connect(socket.get(), address.get(), address.size()) != 0) {
    if (errno != EINTR) fail(errno, path);
  }
  if (!token.empty() && !say(socket, token)) fail(errno, path);
  return std::make_unique<transport::OwningDescriptorTransport>(std::move(socket));
}

std::unique_ptr<Transport> connect_loopback(std::uint16_t port, const std::string& token) {
  system::FileDescriptor socket{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  const int yes = 1;
  if (!socket.is_open() || ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes) != 0) fail(port);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) fail(port);
  if (!say(socket, token)) fail(port);
  return std::make_unique<transport::OwningDescriptorTransport>(std::move(socket));
}

}  // namespace toolwire
