// Once a lock was let go, what its mutex guards is out of reach again.
#include <toolwire/detail/mutex.hpp>

class Counter {
 public:
  int take() {
    toolwire::MutexLock lock(mutex_);
    lock.unlock();
    return count_;
  }

 private:
  toolwire::Mutex mutex_;
  int count_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
};
