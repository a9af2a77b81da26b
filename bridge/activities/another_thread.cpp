#include "activities/another_thread.hpp"

#include <mutex>
#include <vector>

namespace toolwire::bridge {
namespace {

/// There are never many: each is the end of a client or a runner on its own thread. Not detached, so that none outlives
/// what the program tears down at its end.
class Kept {
 public:
  ~Kept() {
    for (std::thread& thread : threads_) thread.join();
  }
  void add(std::thread thread) {
    const std::lock_guard lock(mutex_);
    threads_.push_back(std::move(thread));
  }

 private:
  std::mutex mutex_;
  std::vector<std::thread> threads_;
};

}  // namespace

void keep_until_ended(std::thread thread) {
  static Kept kept;
  kept.add(std::move(thread));
}

}  // namespace toolwire::bridge
