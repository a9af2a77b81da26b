// A function that is called when somebody asks the process to end.
#pragma once

#include <atomic>
#include <functional>
#include <initializer_list>
#include <thread>

#include <toolwire/system/signals.hpp>

namespace toolwire::bridge {

inline constexpr std::initializer_list<system::Signal> ending_signals{system::Signal::terminate,
                                                                      system::Signal::interrupt};

/// Waits for a signal that ends the program, on a thread of its own, until it is destroyed. The signals must be blocked
/// in every thread: see `system::block_signals`.
class EndBySignal {
 public:
  explicit EndBySignal(std::function<void()> end)
      : thread_([this, end = std::move(end)] {
          system::wait_for_signal(ending_signals);
          if (!is_over_) end();
        }) {}
  EndBySignal(const EndBySignal&) = delete;
  EndBySignal& operator=(const EndBySignal&) = delete;
  ~EndBySignal() {
    is_over_ = true;
    system::send_to_this_process(system::Signal::terminate);
    thread_.join();
  }

 private:
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

}  // namespace toolwire::bridge
