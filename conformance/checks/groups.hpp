// The groups of checks, each in the file of its name.
#pragma once

#include "checks/check.hpp"

namespace toolwire::conformance {

std::span<const Check> batching_checks();
std::span<const Check> caching_checks();
std::span<const Check> cancellation_checks();
std::span<const Check> completion_checks();
std::span<const Check> dual_era_checks();
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
std::span<const Check> shutdown_checks();
std::span<const Check> stdio_framing_checks();
std::span<const Check> subscriptions_checks();
std::span<const Check> tasks_2025_11_25_checks();
std::span<const Check> tasks_extension_checks();
std::span<const Check> tools_checks();

}  // namespace toolwire::conformance
