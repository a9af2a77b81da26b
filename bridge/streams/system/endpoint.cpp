#include "endpoint.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include <toolwire/system/network_address.hpp>

#include "system/this_machine.hpp"

namespace toolwire::streams {
namespace {

constexpr std::string_view unix_prefix = "unix:";

[[noreturn]] void refuse(const std::string& address) {
  throw std::invalid_argument("\"" + address + "\" is no address; expected HOST:PORT, [ADDRESS]:PORT or unix:/PATH");
}

bool is_port(std::string_view text) {
  unsigned port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size() && port > 0 && port <= 65'535;
}

bool is_path(std::string_view path) {
  return path.starts_with('/') && path.size() < sizeof(sockaddr_un::sun_path) && path.find('\0') == path.npos;
}

SocketAddress address_of_file(const std::string& path) {
  SocketAddress address;
  auto& name = reinterpret_cast<sockaddr_un&>(address.storage);
  name.sun_family = AF_UNIX;
  std::ranges::copy(path, name.sun_path);
  address.size = sizeof name;
  return address;
}

bool is_of_this_machine(const sockaddr* address) {
  const auto bytes = system::address_bytes(address);
  return bytes && system::is_loopback_address(system::address_text(*bytes));
}

}  // namespace

bool Endpoint::is_here() const { return !path.empty() || bridge::is_this_machine(host); }

Endpoint read_endpoint(const std::string& address) {
  if (address.starts_with(unix_prefix)) {
    const std::string path = address.substr(unix_prefix.size());
    if (!is_path(path)) refuse(address);
    return {.path = path};
  }
  const std::size_t colon = address.rfind(':');
  if (colon == std::string::npos || !is_port(std::string_view(address).substr(colon + 1))) refuse(address);
  std::string host = address.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
  } else if (host.find_first_of("[]:/@ ") != std::string::npos) {
    refuse(address);
  }
  if (host.empty()) refuse(address);
  return {.host = host, .port = address.substr(colon + 1)};
}

std::vector<SocketAddress> addresses_of(const Endpoint& endpoint, Reach reach) {
  if (!endpoint.path.empty()) return {address_of_file(endpoint.path)};
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_NUMERICSERV;
  addrinfo* list = nullptr;
  const int failed = ::getaddrinfo(endpoint.host.c_str(), endpoint.port.c_str(), &wanted, &list);
  if (failed != 0)
    throw std::runtime_error("the host \"" + endpoint.host + "\" has no address: " + ::gai_strerror(failed));
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owned(list, &::freeaddrinfo);
  std::vector<SocketAddress> found;
  for (const addrinfo* one = list; one != nullptr; one = one->ai_next) {
    if (reach == Reach::this_machine && !is_of_this_machine(one->ai_addr)) continue;
    SocketAddress& address = found.emplace_back();
    std::memcpy(&address.storage, one->ai_addr, one->ai_addrlen);
    address.size = one->ai_addrlen;
  }
  if (found.empty()) throw std::runtime_error("the host \"" + endpoint.host + "\" is not this machine");
  return found;
}

system::FileDescriptor begin_to_connect(const SocketAddress& address) {
  const int family = address.storage.ss_family;
  system::FileDescriptor socket(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.is_open()) throw std::system_error(errno, std::generic_category(), "socket");
  const int on = 1;
  if (family != AF_UNIX) ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  const auto* const name = reinterpret_cast<const sockaddr*>(&address.storage);
  if (::connect(socket.get(), name, address.size) != 0 && errno != EINPROGRESS)
    throw std::system_error(errno, std::generic_category(), "connect");
  return socket;
}

int connect_error(int socket) {
  int error = 0;
  socklen_t size = sizeof error;
  return ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

}  // namespace toolwire::streams
