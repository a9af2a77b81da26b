#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

#include "activities/mcp/back_end.hpp"
#include "activities/mcp/own_thread.hpp"

namespace toolwire::bridge::mcp {
namespace {

/// Destroys back-ends whose last user was one of their own threads: an answer that came after the tool was removed.
/// Thread-safe; its thread is started when first needed and joined at the end of the program.
class Undertaker {
 public:
  ~Undertaker() {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
      changed_.notify_one();
    }
    if (thread_.joinable()) thread_.join();
  }

  void take(std::unique_ptr<BackEnd> back_end) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(back_end));
    if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
    changed_.notify_one();
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      auto next = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      next.reset();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::unique_ptr<BackEnd>> waiting_;
  bool ending_ = false;
  std::thread thread_;
};

Undertaker& undertaker() {
  static Undertaker one;
  return one;
}

}  // namespace

std::shared_ptr<BackEnd> make_back_end(BackEndOptions options) {
  undertaker();  // lives longer than any back-end made here
  return {new BackEnd(std::move(options)), [](BackEnd* last) {
            std::unique_ptr<BackEnd> owned(last);
            if (OnBackEndThread::is_one()) undertaker().take(std::move(owned));
          }};
}

}  // namespace toolwire::bridge::mcp
