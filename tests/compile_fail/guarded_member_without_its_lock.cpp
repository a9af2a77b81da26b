// What a mutex guards is touched only while it is held.
#include <toolwire/detail/mutex.hpp>

class Counter {
 public:
  void count() {
    const toolwire::MutexLock lock(mutex_);
    ++count_;
  }
  int read() { return count_; }

 private:
  toolwire::Mutex mutex_;
  int count_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
};
