// Waiting that ends when a call is told to stop.
#pragma once

#include <chrono>
#include <stop_token>

namespace everything {

/// Waits so long, or until `stop` fires. Returns whether it waited to the end.
bool pause(const std::stop_token& stop, std::chrono::duration<double> length);

}  // namespace everything
