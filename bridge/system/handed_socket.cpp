#include "system/handed_socket.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

#include <toolwire/http/listen.hpp>
#include <toolwire/system/network_address.hpp>

namespace toolwire::bridge {
namespace {

std::string path_of(int descriptor) {
  sockaddr_un address{};
  socklen_t size = sizeof address;
  constexpr std::size_t before = offsetof(sockaddr_un, sun_path);
  if (::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) != 0 || address.sun_family != AF_UNIX ||
      size <= before)
    return {};
  const std::string_view bytes(address.sun_path, std::min<std::size_t>(size - before, sizeof address.sun_path));
  return std::string(bytes.substr(0, bytes.find('\0')));
}

/// Whether a TCP socket listens there; port 0: whichever its port is.
bool is_at(int descriptor, const system::AddressBytes& address, std::uint16_t port) {
  sockaddr_storage bound{};
  socklen_t size = sizeof bound;
  auto* const where = reinterpret_cast<sockaddr*>(&bound);
  if (::getsockname(descriptor, where, &size) != 0 || system::address_bytes(where) != address) return false;
  const in_port_t written = bound.ss_family == AF_INET ? reinterpret_cast<const sockaddr_in*>(&bound)->sin_port
                                                       : reinterpret_cast<const sockaddr_in6*>(&bound)->sin6_port;
  return port == 0 || ntohs(written) == port;
}

template <class Fits>
int first_that(const Fits& fits) {
  int found = -1;
  for (const int one : http::handed_over_sockets()) {
    ::fcntl(one, F_SETFD, FD_CLOEXEC);
    if (found < 0 && fits(one)) found = one;
  }
  return found;
}

}  // namespace

int handed_socket(const std::string& path) {
  return first_that([&](int one) { return path_of(one) == path; });
}

int handed_socket(const std::string& address, std::uint16_t port) {
  const auto bytes = system::parse_address(address);
  return bytes ? first_that([&](int one) { return is_at(one, *bytes, port); }) : -1;
}

}  // namespace toolwire::bridge
