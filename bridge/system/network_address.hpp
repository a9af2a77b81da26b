// Network addresses as values, and sockets.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

struct sockaddr;

namespace toolwire::bridge {

/// An address as 16 bytes; IPv4 in its mapped form (::ffff:a.b.c.d).
using AddressBytes = std::array<std::uint8_t, 16>;

/// Nothing for a family that is neither IPv4 nor IPv6.
std::optional<AddressBytes> address_bytes(const sockaddr* address);
/// "127.0.0.1", "fe80::1"; nothing if it is not an address.
std::optional<AddressBytes> parse_address(const std::string& text);
std::string address_text(const AddressBytes& address);

/// Whether the text is an address of this machine alone: "127.0.0.1" and its like, "::1".
bool is_loopback_address(const std::string& text);

/// As socket(2), but not inherited by programs.
int make_socket(int family, int type, int protocol);

/// Lets a restarted server listen on the address of the one before. Two running servers cannot share a port (which
/// SO_REUSEPORT would allow).
void let_address_be_reused(int socket);

}  // namespace toolwire::bridge
