// Timers on threads: one that waits, and a few more only while due functions take long. On a single thread one slow
// function (a native Activity that is polled, for example) would delay all others.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "system/timers.hpp"

namespace toolwire::bridge {

/// Starts its first thread when first used. Destruction waits for functions that are running and drops the rest; it
/// must not happen on one of its own threads.
class ThreadTimers : public Timers {
 public:
  explicit ThreadTimers(std::size_t max_threads = 4) : max_threads_(max_threads) {}
  ThreadTimers(const ThreadTimers&) = delete;
  ThreadTimers& operator=(const ThreadTimers&) = delete;
  ~ThreadTimers() override;

  /// Does what destruction does; what is added later is dropped at once. Not on one of its own threads.
  void stop();

  Handle at(Clock::time_point when, std::function<void()> what) override;
  void cancel(const Handle& handle) override;

 private:
  using Due = std::map<Handle, std::function<void()>>;
  void work();
  void start_thread_if_none_waits();

  const std::size_t max_threads_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Due due_;
  std::uint64_t serial_ = 0;
  std::size_t waiting_ = 0;  // threads that are not inside a function
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace toolwire::bridge
