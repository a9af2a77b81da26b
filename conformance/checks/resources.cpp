// resources/list, resources/templates/list, resources/read and legacy subscriptions (server/resources).
#include "checks/resources.hpp"

#include <vector>

#include "checks/groups.hpp"

namespace toolwire::conformance {

std::span<const Check> resources_checks() {
  static const std::vector<Check> all = [] {
    std::vector<Check> checks;
    for (auto table : {resources_list_checks(), resources_read_checks(), resources_subscribe_checks()})
      checks.insert(checks.end(), table.begin(), table.end());
    return checks;
  }();
  return all;
}

}  // namespace toolwire::conformance
