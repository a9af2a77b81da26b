// Network addresses as values, and sockets.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct sockaddr;

namespace toolwire::system {

/// An address as 16 bytes; IPv4 in its mapped form (::ffff:a.b.c.d).
using AddressBytes = std::array<std::uint8_t, 16>;

/// Nothing for a family that is neither IPv4 nor IPv6.
std::optional<AddressBytes> address_bytes(const sockaddr* address);
/// "127.0.0.1", "fe80::1"; nothing if it is not an address.
std::optional<AddressBytes> parse_address(const std::string& text);
std::string address_text(const AddressBytes& address);

/// Whether the text is an address of this machine alone: "127.0.0.1" and its like, "::1".
bool is_loopback_address(const std::string& text);

/// A host as it stands in a URL, without the brackets of an address of IPv6: "[::1]" is "::1", others stay as they are.
std::string_view without_brackets(std::string_view host);
/// The other way round.
std::string in_brackets(const std::string& host);

/// As socket(2), but not inherited by programs.
int make_socket(int family, int type, int protocol);

/// The addresses of a name, or the one that it is, in numbers and in the order of the system's resolver; of an empty
/// one, those of all interfaces. Throws std::runtime_error where there is none.
std::vector<std::string> addresses_to_listen_on(const std::string& name);

}  // namespace toolwire::system
