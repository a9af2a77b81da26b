// Waiting for what another thread or process brings about.
#pragma once

#include <chrono>
#include <functional>
#include <thread>

namespace toolwire_test {

/// Whether `holds` becomes true; false when it has not within 50 seconds.
inline bool comes_true(const std::function<bool()>& holds) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(50);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

}  // namespace toolwire_test
