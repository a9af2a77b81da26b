// How the monitor sleeps: until it is woken, a time has passed, or a signal asks the process to end.
#pragma once

#include <atomic>

namespace toolwire::system {

/// `wake` may be called from any thread; `sleep` by one thread.
class WakeUp {
 public:
  enum class Reason { woken_or_time, ended_by_signal };

  /// With `take_signals`, SIGTERM and SIGINT (blocked by the caller) are received here.
  explicit WakeUp(bool take_signals);
  ~WakeUp();
  WakeUp(const WakeUp&) = delete;
  WakeUp& operator=(const WakeUp&) = delete;

  /// From now on SIGTERM and SIGINT are received, if they were not. From any thread. Throws std::system_error.
  void take_signals();

  void wake();
  /// Sleeps at most `milliseconds`; negative: without a limit.
  Reason sleep(int milliseconds);

 private:
  int event_ = -1;
  std::atomic<int> signals_ = -1;
};

}  // namespace toolwire::system
