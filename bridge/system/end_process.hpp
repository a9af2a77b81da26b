// How another process of the same user is asked to end.
#pragma once

#include <chrono>

namespace toolwire::bridge {

/// Sends SIGTERM and waits until the process has ended; false if it has not by then, or cannot be told.
bool end_process(int process, std::chrono::milliseconds patience);

}  // namespace toolwire::bridge
