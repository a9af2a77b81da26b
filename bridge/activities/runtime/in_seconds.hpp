// Times in messages.
#pragma once

#include <chrono>
#include <string>

namespace toolwire::bridge::runtimes {

/// "3 s", "500 ms".
inline std::string in_seconds(std::chrono::milliseconds time) {
  if (time.count() % 1000 == 0) return std::to_string(time.count() / 1000) + " s";
  return std::to_string(time.count()) + " ms";
}

}  // namespace toolwire::bridge::runtimes
