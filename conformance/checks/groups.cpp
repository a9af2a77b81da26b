#include "checks/groups.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "checks/fuzz.hpp"
#include "checks/own_scenarios.hpp"

namespace toolwire::conformance {

namespace {

std::vector<Group> all_groups() {
  std::vector<Group> all{
      {"jsonrpc-base", jsonrpc_base_checks()},
      {"stdio-framing", stdio_framing_checks()},
      {"ping", ping_checks()},
      {"lifecycle-legacy", lifecycle_legacy_checks()},
      {"tools", tools_checks()},
      {"schema-lint", schema_lint_checks()},
      {"security", security_checks()},
      {"modern-metadata", modern_metadata_checks()},
      {"dual-era", dual_era_checks()},
      {"cancellation", cancellation_checks()},
      {"progress", progress_checks()},
      {"logging", logging_checks()},
      {"resources", resources_checks()},
      {"prompts", prompts_checks()},
      {"completion", completion_checks()},
      {"pagination", pagination_checks()},
      {"caching", caching_checks()},
      {"batching", batching_checks()},
      {"shutdown", shutdown_checks()},
      {"meta-format", meta_format_checks()},
      {"json-schema", json_schema_checks()},
      {"subscriptions", subscriptions_checks()},
      {"mrtr", mrtr_checks()},
      {"legacy-server-requests", legacy_server_requests_checks()},
      {"tasks-2025-11-25", tasks_2025_11_25_checks()},
      {"tasks-extension", tasks_extension_checks()},
      {"robustness-input", robustness_input_checks()},
      {"robustness-flow", robustness_flow_checks()},
      {"robustness-process", robustness_process_checks()},
      {"robustness-protocol", robustness_protocol_checks()},
      {fuzz_group, fuzz_checks()},
      {"http", http_checks()},
  };
  std::ranges::move(groups_of_scenarios(), std::back_inserter(all));
  return all;
}

}  // namespace

std::span<const Group> groups() {
  static const std::vector<Group> all = all_groups();
  return all;
}

}  // namespace toolwire::conformance
