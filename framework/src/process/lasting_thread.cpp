#include "process/lasting_thread.hpp"

#include <deque>
#include <future>
#include <mutex>
#include <thread>
#include <utility>

#include <toolwire/system/process_id.hpp>
#include <toolwire/system/signals_blocked.hpp>
#include "toolwire/detail/condition_variable.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::process {
namespace {

class LastingThread {
 public:
  LastingThread() {
    const system::SignalsBlocked inherited_by_the_thread;
    std::thread([this] { run(); }).detach();
  }

  void call(const std::function<void()>& function) {
    std::packaged_task<void()> task(function);
    std::future<void> done = task.get_future();
    {
      const MutexLock lock(mutex_);
      waiting_.push_back(std::move(task));
      changed_.notify_one();
    }
    done.get();
  }

 private:
  [[noreturn]] void run() {
    MutexLock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this]() TOOLWIRE_REQUIRES(mutex_) { return !waiting_.empty(); });
      std::packaged_task<void()> task = std::move(waiting_.front());
      waiting_.pop_front();
      const MutexUnlock unlocked(mutex_);
      task();
    }
  }

  Mutex mutex_;
  ConditionVariable changed_;
  std::deque<std::packaged_task<void()>> waiting_ TOOLWIRE_GUARDED_BY(mutex_);
};

/// Never destroyed: its thread runs until the process ends. A process that was forked has no thread but its own, and
/// gets another.
LastingThread& lasting_thread() {
  static std::mutex mutex;
  static LastingThread* one = nullptr;
  static system::ProcessId owner = -1;
  const std::lock_guard lock(mutex);
  const system::ProcessId here = system::own_process_id();
  if (one == nullptr || owner != here) one = new LastingThread;
  owner = here;
  return *one;
}

}  // namespace

void run_on_lasting_thread(const std::function<void()>& function) { lasting_thread().call(function); }

}  // namespace toolwire::process
