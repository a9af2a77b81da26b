#include "http/calls_under_way.hpp"

#include <system_error>
#include <vector>

namespace toolwire::bridge::http {

CallsUnderWay::Place::~Place() {
  const MutexLock lock(calls_->mutex_);
  calls_->calls_.erase(at_);
  calls_->ended_.notify_all();
}

std::unique_ptr<CallsUnderWay::Place> CallsUnderWay::begin() {
  const MutexLock lock(mutex_);
  if (calls_.size() >= max_calls_) return nullptr;
  calls_.emplace_back();
  if (stopped_) calls_.back().request_stop();
  return std::make_unique<Place>(shared_from_this(), std::prev(calls_.end()));
}

void CallsUnderWay::stop_after(std::chrono::milliseconds time) {
  {
    const MutexLock lock(mutex_);
    if (watch_.joinable()) return;
    try {
      watch_ = std::thread([this, time] { watch(time); });
      return;
    } catch (const std::system_error&) {  // the system gives no thread: calls are not waited for
    }
  }
  watch(std::chrono::milliseconds(0));
}

void CallsUnderWay::watch(std::chrono::milliseconds time) {
  std::vector<std::stop_source> late;
  {
    MutexLock lock(mutex_);
    ended_.wait_for(lock, time, [&]() TOOLWIRE_REQUIRES(mutex_) { return calls_.empty(); });
    stopped_ = true;
    late.assign(calls_.begin(), calls_.end());
  }
  for (std::stop_source& call : late) call.request_stop();  // runs callbacks of other parts, so not under the lock
}

void CallsUnderWay::wait_for_watch() {
  if (watch_.joinable()) watch_.join();
}

}  // namespace toolwire::bridge::http
