// What a client is told when a stream that tells of changes has been interrupted, so that it asks again. Decides only.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <toolwire/json.hpp>

namespace toolwire::remote {

/// Of a subscription with this filter and id (2026-07-28).
std::vector<std::string> missed_changes(const Json& filter, const Json& subscription);
/// Of all lists (2025-03-26 to 2025-11-25).
std::vector<std::string> missed_list_changes();

/// Before a stream that has ended `tries` times in a row, without having brought anything, is opened again: 0.5, 1,
/// 2 … 30 s. What the server wishes counts for the first five times, and later if it is longer.
std::chrono::milliseconds wait_before(unsigned tries, std::optional<std::chrono::milliseconds> wished = {});

}  // namespace toolwire::remote
