#include <toolwire/system/network_address.hpp>

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <stdexcept>

namespace toolwire::system {
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

std::string_view without_brackets(std::string_view host) {
  return host.starts_with('[') && host.ends_with(']') ? host.substr(1, host.size() - 2) : host;
}

std::string in_brackets(const std::string& host) {
  const bool is_six = host.find(':') != std::string::npos && !host.starts_with('[');
  return is_six ? "[" + host + "]" : host;
}

int make_socket(int family, int type, int protocol) { return ::socket(family, type | SOCK_CLOEXEC, protocol); }

std::vector<std::string> addresses_to_listen_on(const std::string& name) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  // Without a name it needs a service; which one is not looked at.
  const int error = ::getaddrinfo(name.empty() ? nullptr : name.c_str(), name.empty() ? "0" : nullptr, &wanted, &found);
  if (error != 0) throw std::runtime_error(::gai_strerror(error));
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owned(found, &::freeaddrinfo);
  std::vector<std::string> addresses;
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
    if (const auto bytes = address_bytes(one->ai_addr)) addresses.push_back(address_text(*bytes));
  }
  return addresses;
}

}  // namespace toolwire::system
