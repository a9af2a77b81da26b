// The groups of checks, each in the file of its name, with a table of them.
#pragma once

#include <span>
#include <string_view>

#include "probe/check.hpp"

namespace toolwire::conformance {

/// The checks of a group share a session; groups run beside each other.
struct Group {
  std::string_view name;  // that of its catalogue file
  std::span<const Check> checks;
};

/// Those of the suite, then those of the user (own_scenarios.hpp), which are added before the first call.
std::span<const Group> groups();

std::span<const Check> batching_checks();
std::span<const Check> caching_checks();
std::span<const Check> cancellation_checks();
std::span<const Check> completion_checks();
std::span<const Check> dual_era_checks();
std::span<const Check> fuzz_checks();
std::span<const Check> http_checks();
std::span<const Check> json_schema_checks();
std::span<const Check> jsonrpc_base_checks();
std::span<const Check> legacy_server_requests_checks();
std::span<const Check> lifecycle_legacy_checks();
std::span<const Check> logging_checks();
std::span<const Check> meta_format_checks();
std::span<const Check> modern_metadata_checks();
std::span<const Check> mrtr_checks();
std::span<const Check> pagination_checks();
std::span<const Check> ping_checks();
std::span<const Check> progress_checks();
std::span<const Check> prompts_checks();
std::span<const Check> resources_checks();
std::span<const Check> robustness_flow_checks();
std::span<const Check> robustness_input_checks();
std::span<const Check> robustness_process_checks();
std::span<const Check> robustness_protocol_checks();
std::span<const Check> schema_lint_checks();
std::span<const Check> security_checks();
std::span<const Check> shutdown_checks();
std::span<const Check> stdio_framing_checks();
std::span<const Check> subscriptions_checks();
std::span<const Check> tasks_2025_11_25_checks();
std::span<const Check> tasks_extension_checks();
std::span<const Check> tools_checks();

}  // namespace toolwire::conformance
