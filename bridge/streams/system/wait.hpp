// For who may wait.
#pragma once

#include <chrono>
#include <cstdint>

namespace toolwire::streams {

/// Until one of these bits of system::ready, or an error, is there; false at `until`.
bool wait_until_ready(int descriptor, std::uint32_t wanted, std::chrono::steady_clock::time_point until);

}  // namespace toolwire::streams
