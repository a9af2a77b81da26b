#include <toolwire/http/detail/address_policy.hpp>

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace toolwire {
namespace {

struct Range {
  system::AddressBytes address;
  unsigned bits;
  Closeness closeness;
};

constexpr unsigned mapped = 96;  // the bits before an IPv4 address

constexpr system::AddressBytes v4(std::uint8_t a, std::uint8_t b, std::uint8_t c = 0, std::uint8_t d = 0) {
  return {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, a, b, c, d};
}

constexpr system::AddressBytes v6(std::uint16_t a, std::uint16_t b = 0, std::uint16_t c = 0, std::uint16_t last = 0) {
  const auto high = [](std::uint16_t word) { return static_cast<std::uint8_t>(word >> 8); };
  const auto low = [](std::uint16_t word) { return static_cast<std::uint8_t>(word & 0xff); };
  return {high(a), low(a), high(b), low(b), high(c), low(c), 0, 0, 0, 0, 0, 0, 0, 0, high(last), low(last)};
}

// The first that fits decides: single addresses stand before the networks they lie in.
constexpr Range ranges[] = {
    {v4(100, 100, 100, 200), mapped + 32, Closeness::link_local},  // metadata of Alibaba
    {v4(168, 63, 129, 16), mapped + 32, Closeness::link_local},    // of Azure
    {v4(192, 0, 0, 192), mapped + 32, Closeness::link_local},      // of Oracle
    {v6(0xfd00, 0x0ec2, 0, 0x254), 128, Closeness::link_local},    // of Amazon
    {v6(0xfd20, 0x00ce, 0, 0x254), 128, Closeness::link_local},    // of Google
    {v4(0, 0), mapped + 8, Closeness::this_machine},
    {v4(127, 0), mapped + 8, Closeness::this_machine},
    {v4(10, 0), mapped + 8, Closeness::private_network},
    {v4(100, 64), mapped + 10, Closeness::private_network},
    {v4(172, 16), mapped + 12, Closeness::private_network},
    {v4(192, 168), mapped + 16, Closeness::private_network},
    {v4(192, 0), mapped + 24, Closeness::private_network},
    {v4(198, 18), mapped + 15, Closeness::private_network},
    {v4(169, 254), mapped + 16, Closeness::link_local},
    {v4(224, 0), mapped + 3, Closeness::unusable},  // multicast, reserved, broadcast
    {v4(0, 0), mapped, Closeness::open},
    {v6(0), 127, Closeness::this_machine},  // :: and ::1
    {v6(0xfc00), 7, Closeness::private_network},
    {v6(0xfec0), 10, Closeness::private_network},
    {v6(0x2001), 32, Closeness::private_network},  // Teredo hides the IPv4 address it leads to
    {v6(0xfe80), 10, Closeness::link_local},
    {v6(0xff00), 8, Closeness::unusable},
    {v6(0x2000), 3, Closeness::open},
};

bool within(const system::AddressBytes& address, const system::AddressBytes& network, unsigned bits) {
  const unsigned whole = bits / 8;
  if (!std::equal(address.begin(), address.begin() + whole, network.begin())) return false;
  const unsigned rest = bits % 8;
  if (rest == 0) return true;
  const auto mask = static_cast<std::uint8_t>(0xff << (8 - rest));
  return (address[whole] & mask) == (network[whole] & mask);
}

/// The IPv4 address inside an IPv6 one, where the network would take us there.
std::optional<system::AddressBytes> carried_v4(const system::AddressBytes& address) {
  const auto from = [&](std::size_t at) { return v4(address[at], address[at + 1], address[at + 2], address[at + 3]); };
  if (within(address, v6(0x2002), 16)) return from(2);                              // 6to4
  if (within(address, v6(0x0064, 0xff9b), 96)) return from(12);                     // NAT64
  if (within(address, v6(0), 96) && !within(address, v6(0), 127)) return from(12);  // IPv4-compatible
  return std::nullopt;
}

bool is_name(const std::string& host) { return host != "localhost" && !system::parse_address(host); }

}  // namespace

Closeness closeness_of(const system::AddressBytes& address) {
  if (const auto carried = carried_v4(address)) return closeness_of(*carried);
  for (const Range& range : ranges) {
    if (within(address, range.address, range.bits)) return range.closeness;
  }
  return Closeness::unusable;  // unassigned parts of IPv6
}

AddressPolicy::AddressPolicy(const std::vector<std::string>& allowed) {
  for (const std::string& text : allowed) {
    const std::size_t slash = text.find('/');
    const std::string address = text.substr(0, slash);
    const auto bytes = system::parse_address(address);
    const unsigned most = address.find(':') == std::string::npos ? 32 : 128;
    unsigned bits = most;
    const char* end = text.data() + text.size();
    if (slash != std::string::npos) {
      const auto [stopped, error] = std::from_chars(text.data() + slash + 1, end, bits);
      if (error != std::errc{} || stopped != end) bits = most + 1;
    }
    if (!bytes || bits > most)
      throw std::invalid_argument("\"" + text +
                                  "\" is neither an address nor a network (10.1.2.3, 10.0.0.0/8, fd00::/8)");
    allowed_.push_back({*bytes, most == 32 ? mapped + bits : bits});
  }
}

bool AddressPolicy::is_allowed(const system::AddressBytes& address) const {
  return std::any_of(allowed_.begin(), allowed_.end(),
                     [&](const Network& network) { return within(address, network.address, network.bits); });
}

/// Whether the name now leads closer to this machine than before: that is DNS rebinding.
bool AddressPolicy::came_closer(const std::string& host, Closeness closeness, std::uint64_t request) {
  const auto [seen, is_new] = first_seen_.try_emplace(host, FirstSeen{closeness, request});
  if (is_new || closeness <= seen->second.closest) return false;
  if (seen->second.request != request) return true;
  seen->second.closest = closeness;  // one name may have several addresses
  return false;
}

std::optional<std::string> AddressPolicy::refusal(const system::AddressBytes& address, const std::string& host,
                                                  HttpOrigin origin, std::uint64_t request) {
  if (is_allowed(address)) return std::nullopt;
  const std::string hint = "; --allow-address " + system::address_text(address) + " would allow it";
  const Closeness closeness = closeness_of(address);
  switch (closeness) {
    case Closeness::unusable:
      return "leads to " + system::address_text(address) + ", which is no address of a server";
    case Closeness::link_local:
      return "leads to the link-local or metadata address " + system::address_text(address) + hint;
    case Closeness::private_network:
    case Closeness::this_machine:
      if (origin != HttpOrigin::operators)
        return "leads to " + system::address_text(address) +
               ", inside this machine or its network, and was not written here" + hint;
      break;
    case Closeness::open:
      break;
  }
  if (origin == HttpOrigin::operators && is_name(host) && came_closer(host, closeness, request))
    return "leads to " + system::address_text(address) + " now, closer to this machine than before" + hint;
  return std::nullopt;
}

}  // namespace toolwire
