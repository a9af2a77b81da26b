#include <deque>
#include <thread>
#include <utility>

#include "activities/mcp/back_end.hpp"
#include "activities/mcp/own_thread.hpp"
#include "toolwire/detail/condition_variable.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge::mcp {
namespace {

/// Destroys back-ends whose last share was dropped where nothing may wait: on one of their own threads, by an answer
/// that came after the tool was removed, or where a host has left. Thread-safe; its thread is started when first needed
/// and joined at the end of the program.
class Undertaker {
 public:
  ~Undertaker() {
    {
      const MutexLock lock(mutex_);
      ending_ = true;
      changed_.notify_one();
    }
    if (thread_.joinable()) thread_.join();
  }

  void take(std::shared_ptr<BackEnd> back_end) {
    const MutexLock lock(mutex_);
    waiting_.push_back(std::move(back_end));
    if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
    changed_.notify_one();
  }

 private:
  void run() {
    MutexLock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this]() TOOLWIRE_REQUIRES(mutex_) { return ending_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      auto next = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      next.reset();
      lock.lock();
    }
  }

  Mutex mutex_;
  ConditionVariable changed_;
  std::deque<std::shared_ptr<BackEnd>> waiting_ TOOLWIRE_GUARDED_BY(mutex_);
  bool ending_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

Undertaker& undertaker() {
  static Undertaker one;
  return one;
}

}  // namespace

std::shared_ptr<BackEnd> make_back_end(BackEndOptions options) {
  undertaker();  // made first, so that it outlives every back-end
  return {new BackEnd(std::move(options)), [](BackEnd* last) {
            std::unique_ptr<BackEnd> owned(last);
            if (OnBackEndThread::is_one()) undertaker().take(std::move(owned));
          }};
}

void end_elsewhere(std::shared_ptr<BackEnd> back_end) { undertaker().take(std::move(back_end)); }

}  // namespace toolwire::bridge::mcp
