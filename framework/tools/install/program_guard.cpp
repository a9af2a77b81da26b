#include "program_guard.hpp"

#include <stop_token>
#include <toolwire/detail/condition_variable.hpp>
#include <toolwire/detail/mutex.hpp>

namespace toolwire::install {

ProgramGuard::ProgramGuard(ChildProcess& process, std::chrono::milliseconds limit) {
  signal_.emplace([this, &process] {
    is_interrupted_ = true;
    process.kill();
  });
  clock_ = std::jthread([this, &process, limit](const std::stop_token& stop) {
    Mutex mutex;
    StoppableConditionVariable stopped;
    MutexLock lock(mutex);
    stopped.wait_until(lock, stop, std::chrono::steady_clock::now() + limit, [] { return false; });
    if (stop.stop_requested()) return;
    is_late_ = true;
    process.kill();
  });
}

ProgramGuard::~ProgramGuard() {
  clock_ = {};
  signal_.reset();
}

}  // namespace toolwire::install
