// A mutex that many may hold to read, or one to write, checked by clang as Mutex is.
#pragma once

#include <shared_mutex>

#include "toolwire/detail/mutex.hpp"

namespace toolwire {

/// std::shared_mutex, known to the analysis. Taken with a SharedLock or an ExclusiveLock.
class TOOLWIRE_THREAD_SAFETY(capability("shared_mutex")) SharedMutex {
 private:
  friend class SharedLock;
  friend class ExclusiveLock;
  std::shared_mutex mutex_;
};

/// Until the end of its block others may read, too.
class TOOLWIRE_THREAD_SAFETY(scoped_lockable) SharedLock {
 public:
  explicit SharedLock(SharedMutex& mutex) TOOLWIRE_THREAD_SAFETY(acquire_shared_capability(mutex))
      : lock_(mutex.mutex_) {}
  ~SharedLock() TOOLWIRE_THREAD_SAFETY(release_generic_capability()) = default;
  SharedLock(const SharedLock&) = delete;
  SharedLock& operator=(const SharedLock&) = delete;

 private:
  std::shared_lock<std::shared_mutex> lock_;
};

/// Until the end of its block nobody else reads or writes.
class TOOLWIRE_THREAD_SAFETY(scoped_lockable) ExclusiveLock {
 public:
  explicit ExclusiveLock(SharedMutex& mutex) TOOLWIRE_ACQUIRE(mutex) : lock_(mutex.mutex_) {}
  ~ExclusiveLock() TOOLWIRE_RELEASE() = default;
  ExclusiveLock(const ExclusiveLock&) = delete;
  ExclusiveLock& operator=(const ExclusiveLock&) = delete;

 private:
  std::unique_lock<std::shared_mutex> lock_;
};

}  // namespace toolwire
