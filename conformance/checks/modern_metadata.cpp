// Requests without a handshake: what they carry, what refuses them, what results carry (2026-07-28 basic).
#include "checks/modern_metadata.hpp"

#include <vector>

#include "checks/groups.hpp"

namespace toolwire::conformance {

std::span<const Check> modern_metadata_checks() {
  static const std::vector<Check> all = [] {
    std::vector<Check> checks;
    for (auto table :
         {modern_request_checks(), modern_discovery_checks(), modern_version_checks(), modern_removed_checks()})
      checks.insert(checks.end(), table.begin(), table.end());
    return checks;
  }();
  return all;
}

}  // namespace toolwire::conformance
