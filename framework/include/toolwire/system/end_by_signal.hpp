// A function that is called when somebody asks the process to end.
#pragma once

#include <atomic>
#include <csignal>
#include <functional>
#include <thread>
#include <utility>

#include <toolwire/system/signals.hpp>

namespace toolwire::system {

/// Blocks what a person or a supervisor sends who wants that, in this thread and in all that it starts from now on:
/// SIGTERM, SIGINT, SIGHUP (the terminal was closed) and SIGQUIT. Except for SIGTERM, one that is ignored stays so, as
/// that is what nohup and the background of a shell are for.
void block_ending_signals();

/// The one of them that supervisors send: SIGTERM, by its number.
inline constexpr int request_to_end = SIGTERM;

/// Waits until one of them arrives.
void wait_for_ending_signal();

/// They are blocked, as by `block_ending_signals`, while it lives. One that nobody has taken arrives after that. Stack
/// only.
class EndingSignalsHeld {
 public:
  EndingSignalsHeld();
  EndingSignalsHeld(const EndingSignalsHeld&) = delete;
  EndingSignalsHeld& operator=(const EndingSignalsHeld&) = delete;
  ~EndingSignalsHeld();

  /// Whether one has come that nobody has taken.
  [[nodiscard]] bool has_come() const;

 private:
  sigset_t before_{};
};

/// Waits for one of them, on a thread of its own, until it is destroyed. They must be blocked in every thread: before
/// any is started.
class EndBySignal {
 public:
  explicit EndBySignal(std::function<void()> end)
      : thread_([this, end = std::move(end)] {
          wait_for_ending_signal();
          if (is_over_) return;
          has_come_ = true;
          end();
        }) {}
  EndBySignal(const EndBySignal&) = delete;
  EndBySignal& operator=(const EndBySignal&) = delete;
  ~EndBySignal() {
    is_over_ = true;
    if (!has_come_) send_to_this_process(Signal::terminate);
    thread_.join();
  }

 private:
  std::atomic<bool> is_over_ = false, has_come_ = false;
  std::thread thread_;
};

}  // namespace toolwire::system
