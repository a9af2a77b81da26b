// A function that requires a lock is called only while it is held.
#include <toolwire/detail/mutex.hpp>

class Counter {
 public:
  void count() { count_locked(); }

 private:
  void count_locked() TOOLWIRE_REQUIRES(mutex_) { ++count_; }

  toolwire::Mutex mutex_;
  int count_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
};
