// A function that is called when somebody asks the process to end.
#pragma once

#include <atomic>
#include <functional>
#include <initializer_list>
#include <thread>
#include <utility>

#include <toolwire/system/signals.hpp>

namespace toolwire::system {

/// What a person or a supervisor sends who wants that.
inline constexpr std::initializer_list<Signal> ending_signals{Signal::terminate, Signal::interrupt};

/// Waits for one of them, on a thread of its own, until it is destroyed. They must be blocked in every thread:
/// `block_signals(ending_signals)` before any is started.
class EndBySignal {
 public:
  explicit EndBySignal(std::function<void()> end)
      : thread_([this, end = std::move(end)] {
          wait_for_signal(ending_signals);
          if (!is_over_) end();
        }) {}
  EndBySignal(const EndBySignal&) = delete;
  EndBySignal& operator=(const EndBySignal&) = delete;
  ~EndBySignal() {
    is_over_ = true;
    send_to_this_process(Signal::terminate);
    thread_.join();
  }

 private:
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

}  // namespace toolwire::system
