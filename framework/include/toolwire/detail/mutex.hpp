// A mutex that clang checks while it compiles: what is TOOLWIRE_GUARDED_BY a mutex is touched only where a MutexLock of
// it is held, or in functions that say TOOLWIRE_REQUIRES. Costs what std::mutex costs; for other compilers these words
// mean nothing.
#pragma once

#include <mutex>

#ifdef __clang__
#define TOOLWIRE_THREAD_SAFETY(attribute) __attribute__((attribute))
#else
#define TOOLWIRE_THREAD_SAFETY(attribute)
#endif

/// Of a member: read and written only while the mutex is held.
#define TOOLWIRE_GUARDED_BY(mutex) TOOLWIRE_THREAD_SAFETY(guarded_by(mutex))
/// Of a pointer: what it points to is read and written only while the mutex is held.
#define TOOLWIRE_PT_GUARDED_BY(mutex) TOOLWIRE_THREAD_SAFETY(pt_guarded_by(mutex))
/// Of a function: its caller holds the mutex, before and after.
#define TOOLWIRE_REQUIRES(...) TOOLWIRE_THREAD_SAFETY(requires_capability(__VA_ARGS__))
/// Of a function: its caller does not hold the mutex, for the function takes it.
#define TOOLWIRE_EXCLUDES(...) TOOLWIRE_THREAD_SAFETY(locks_excluded(__VA_ARGS__))
/// Of a function: it returns with the mutex held, or no longer held.
#define TOOLWIRE_ACQUIRE(...) TOOLWIRE_THREAD_SAFETY(acquire_capability(__VA_ARGS__))
#define TOOLWIRE_RELEASE(...) TOOLWIRE_THREAD_SAFETY(release_capability(__VA_ARGS__))
/// Of a function whose locking the analysis cannot follow; a comment beside it says why.
#define TOOLWIRE_NO_THREAD_SAFETY_ANALYSIS TOOLWIRE_THREAD_SAFETY(no_thread_safety_analysis)

namespace toolwire {

/// std::mutex, known to the analysis. Taken with a MutexLock.
class TOOLWIRE_THREAD_SAFETY(capability("mutex")) Mutex {
 public:
  void lock() TOOLWIRE_ACQUIRE() { mutex_.lock(); }
  void unlock() TOOLWIRE_RELEASE() { mutex_.unlock(); }

 private:
  friend class MutexLock;
  std::mutex mutex_;
};

/// Holds a mutex until the end of its block. Belongs to one thread, as any lock on the stack.
class TOOLWIRE_THREAD_SAFETY(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) TOOLWIRE_ACQUIRE(mutex) : lock_(mutex.mutex_) {}
  ~MutexLock() TOOLWIRE_RELEASE() = default;
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  /// Lets the mutex go before the end of the block; `lock` takes it again.
  void unlock() TOOLWIRE_RELEASE() { lock_.unlock(); }
  void lock() TOOLWIRE_ACQUIRE() { lock_.lock(); }

 private:
  friend class ConditionVariable;
  friend class StoppableConditionVariable;
  std::unique_lock<std::mutex> lock_;
};

/// Lets a mutex that the caller holds go until the end of the block, and takes it again whatever happens there.
class TOOLWIRE_THREAD_SAFETY(scoped_lockable) MutexUnlock {
 public:
  explicit MutexUnlock(Mutex& mutex) TOOLWIRE_RELEASE(mutex) : mutex_(mutex) { mutex_.unlock(); }
  ~MutexUnlock() TOOLWIRE_RELEASE() { mutex_.lock(); }
  MutexUnlock(const MutexUnlock&) = delete;
  MutexUnlock& operator=(const MutexUnlock&) = delete;

 private:
  Mutex& mutex_;
};

}  // namespace toolwire
