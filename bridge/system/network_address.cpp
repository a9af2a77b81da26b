#include "system/network_address.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace toolwire::bridge {
namespace {

constexpr AddressBytes mapped_form{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
constexpr std::size_t mapped_bytes = 12;  // before an IPv4 address

bool is_mapped(const AddressBytes& address) {
  return std::equal(address.begin(), address.begin() + mapped_bytes, mapped_form.begin());
}

}  // namespace

std::optional<AddressBytes> address_bytes(const sockaddr* address) {
  AddressBytes bytes = mapped_form;
  if (address->sa_family == AF_INET) {
    sockaddr_in plain{};
    std::memcpy(&plain, address, sizeof plain);
    std::memcpy(bytes.data() + mapped_bytes, &plain.sin_addr, sizeof plain.sin_addr);
    return bytes;
  }
  if (address->sa_family != AF_INET6) return std::nullopt;
  sockaddr_in6 plain{};
  std::memcpy(&plain, address, sizeof plain);
  std::memcpy(bytes.data(), &plain.sin6_addr, bytes.size());
  return bytes;
}

std::optional<AddressBytes> parse_address(const std::string& text) {
  AddressBytes bytes = mapped_form;
  if (::inet_pton(AF_INET, text.c_str(), bytes.data() + mapped_bytes) == 1) return bytes;
  if (::inet_pton(AF_INET6, text.c_str(), bytes.data()) == 1) return bytes;
  return std::nullopt;
}

std::string address_text(const AddressBytes& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const bool is_four = is_mapped(address);
  ::inet_ntop(is_four ? AF_INET : AF_INET6, address.data() + (is_four ? mapped_bytes : 0), text.data(), text.size());
  return text.data();
}

bool is_loopback_address(const std::string& text) {
  in_addr four{};
  in6_addr six{};
  if (::inet_pton(AF_INET, text.c_str(), &four) == 1) return (ntohl(four.s_addr) >> 24) == IN_LOOPBACKNET;
  return ::inet_pton(AF_INET6, text.c_str(), &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

int make_socket(int family, int type, int protocol) { return ::socket(family, type | SOCK_CLOEXEC, protocol); }

void let_address_be_reused(int socket) {
  const int yes = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
}

}  // namespace toolwire::bridge
