// Which network addresses a request may reach, judged by the address itself after its name was resolved. Independent of
// HTTP; opens nothing.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/http/detail/http_client.hpp>
#include <toolwire/system/network_address.hpp>

namespace toolwire {

/// How close to this machine an address is; later is closer.
enum class Closeness { open, private_network, this_machine, link_local, unusable };

/// Addresses that carry an IPv4 address (mapped, 6to4, NAT64) are as close as that. The addresses at which clouds offer
/// their machines' secrets count as link-local wherever they lie.
Closeness closeness_of(const system::AddressBytes& address);

/// Decides about addresses. One thread.
class AddressPolicy {
 public:
  /// Addresses and networks that are always allowed. Throws std::invalid_argument for anything else.
  explicit AddressPolicy(const std::vector<std::string>& allowed);

  /// Why the address of this host must not be reached, or nothing. `host` as in the URL, without brackets. `request`
  /// is its id: the addresses of a host are compared with those that its first request saw.
  std::optional<std::string> refusal(const system::AddressBytes& address, const std::string& host, HttpOrigin origin,
                                     std::uint64_t request);

 private:
  struct Network {
    system::AddressBytes address;
    unsigned bits;
  };
  struct FirstSeen {
    Closeness closest;
    std::uint64_t request;
  };

  bool is_allowed(const system::AddressBytes& address) const;
  bool came_closer(const std::string& host, Closeness closeness, std::uint64_t request);

  std::vector<Network> allowed_;
  std::map<std::string, FirstSeen, std::less<>> first_seen_;
};

}  // namespace toolwire
