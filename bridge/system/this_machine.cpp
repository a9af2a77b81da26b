#include "system/this_machine.hpp"

#include <algorithm>
#include <string>

#include <toolwire/system/network_address.hpp>

namespace toolwire::bridge {

bool is_this_machine(std::string_view host) {
  constexpr std::string_view local = "localhost";
  const auto is_same = [](char given, char wanted) { return given == wanted || (given | ' ') == wanted; };
  return std::ranges::equal(host, local, is_same) ||
         system::is_loopback_address(std::string(system::without_brackets(host)));
}

}  // namespace toolwire::bridge
