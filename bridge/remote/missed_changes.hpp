// What a client is told when a stream that tells of changes has been interrupted, so that it asks again. Decides only.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <toolwire/json.hpp>

namespace toolwire::bridge::remote {

/// Of a subscription with this filter and id (2026-07-28).
std::vector<std::string> missed_changes(const Json& filter, const Json& subscription);
/// Of all lists (2025-03-26 to 2025-11-25).
std::vector<std::string> missed_list_changes();

/// Before a stream that has ended `tries` times in a row is opened again: 0.5, 1, 2 … 30 s.
std::chrono::milliseconds wait_before(unsigned tries);

}  // namespace toolwire::bridge::remote
