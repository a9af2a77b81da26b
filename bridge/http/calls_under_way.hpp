// How many calls run, and the end of all of them when the provider stops. Independent of what is called.
#pragma once

#include <chrono>
#include <cstddef>
#include <list>
#include <memory>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

#include "toolwire/detail/condition_variable.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge::http {

/// Thread-safe, except `wait_for_watch`.
class CallsUnderWay : public std::enable_shared_from_this<CallsUnderWay> {
 public:
  explicit CallsUnderWay(std::size_t max_calls) : max_calls_(max_calls) {}
  ~CallsUnderWay() { wait_for_watch(); }
  CallsUnderWay(const CallsUnderWay&) = delete;
  CallsUnderWay& operator=(const CallsUnderWay&) = delete;

  /// A place among the calls, given back when destroyed.
  class Place {
   public:
    Place(std::shared_ptr<CallsUnderWay> calls, std::list<std::stop_source>::iterator at)
        : calls_(std::move(calls)), at_(at) {}
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    ~Place();
    std::stop_source stop() const { return *at_; }

   private:
    const std::shared_ptr<CallsUnderWay> calls_;
    const std::list<std::stop_source>::iterator at_;
  };

  /// Null if the maximum is running already.
  std::unique_ptr<Place> begin();
  /// Gives the calls this time to end, then stops them; later calls are stopped at once. Does not wait.
  void stop_after(std::chrono::milliseconds time);
  /// Waits for what `stop_after` began.
  void wait_for_watch();

 private:
  void watch(std::chrono::milliseconds time);

  const std::size_t max_calls_;
  Mutex mutex_;
  ConditionVariable ended_;
  std::list<std::stop_source> calls_ TOOLWIRE_GUARDED_BY(mutex_);
  std::thread watch_;
  bool stopped_ TOOLWIRE_GUARDED_BY(mutex_) = false;
};

}  // namespace toolwire::bridge::http
