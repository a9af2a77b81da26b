#include "everything/pause.hpp"

#include "toolwire/detail/condition_variable.hpp"
#include "toolwire/detail/mutex.hpp"

namespace everything {

bool pause(const std::stop_token& stop, std::chrono::duration<double> length) {
  toolwire::Mutex mutex;
  toolwire::StoppableConditionVariable never;
  toolwire::MutexLock lock(mutex);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::nanoseconds>(length);
  never.wait_until(lock, stop, end, [] { return false; });
  return !stop.stop_requested();
}

}  // namespace everything
