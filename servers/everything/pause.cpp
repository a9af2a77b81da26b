#include "everything/pause.hpp"

#include <condition_variable>
#include <mutex>

namespace everything {

bool pause(const std::stop_token& stop, std::chrono::duration<double> length) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::nanoseconds>(length);
  never.wait_until(lock, stop, end, [] { return false; });
  return !stop.stop_requested();
}

}  // namespace everything
