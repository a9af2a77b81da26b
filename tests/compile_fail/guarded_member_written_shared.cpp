// Who holds a mutex to read together with others must not write.
#include <toolwire/detail/shared_mutex.hpp>

class Counter {
 public:
  void count() {
    const toolwire::SharedLock lock(mutex_);
    ++count_;
  }

 private:
  toolwire::SharedMutex mutex_;
  int count_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
};
