// The correct use of all kinds of locks, which must compile: else a refusal of the others would prove nothing.
#include <toolwire/detail/condition_variable.hpp>
#include <toolwire/detail/mutex.hpp>
#include <toolwire/detail/shared_mutex.hpp>

class Queue {
 public:
  void add() {
    const toolwire::MutexLock lock(mutex_);
    ++waiting_;
    changed_.notify_one();
  }
  void take() {
    toolwire::MutexLock lock(mutex_);
    changed_.wait(lock, [this]() TOOLWIRE_REQUIRES(mutex_) { return waiting_ > 0; });
    take_locked();
    lock.unlock();
    work();
    lock.lock();
    ++done_;
  }
  int limit() {
    const toolwire::SharedLock lock(limit_mutex_);
    return limit_;
  }
  void set_limit(int limit) {
    const toolwire::ExclusiveLock lock(limit_mutex_);
    limit_ = limit;
  }

 private:
  void take_locked() TOOLWIRE_REQUIRES(mutex_) {
    --waiting_;
    const toolwire::MutexUnlock unlocked(mutex_);
    work();
  }
  void work() TOOLWIRE_EXCLUDES(mutex_) {}

  toolwire::Mutex mutex_;
  toolwire::ConditionVariable changed_;
  int waiting_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  int done_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  toolwire::SharedMutex limit_mutex_;
  int limit_ TOOLWIRE_GUARDED_BY(limit_mutex_) = 0;
};
