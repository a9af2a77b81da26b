#include "registry/call_time.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <toolwire/result_checks.hpp>

#include "manifest/async_behavior.hpp"

namespace toolwire::bridge {

std::chrono::seconds call_time(const ToolMetadata& metadata) {
  constexpr std::int64_t longest = 31'622'400;  // a year: sums of such times do not overflow any clock
  const std::chrono::seconds first(std::clamp<std::int64_t>(metadata.timeout_seconds.value_or(0), 0, longest));
  if (first.count() == 0 || metadata.async_behavior.is_null()) return first;
  std::vector<std::string> problems;
  const auto behavior = read_async_behavior(metadata.async_behavior, problems);
  if (!behavior) return first;
  // One interval more, so that the operation's own limit, whose error names the operation, comes first.
  return first + std::chrono::ceil<std::chrono::seconds>(behavior->max_time + behavior->interval);
}

ToolResult timed_out(const ToolDefinition& tool) {
  return unknown_outcome("timeout", timed_out_text(tool.name, call_time(tool.metadata)));
}

}  // namespace toolwire::bridge
