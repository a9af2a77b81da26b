// The resources a legacy client has asked to hear of (2025-11-25 server/resources, subscriptions), on one connection.
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "toolwire/detail/mutex.hpp"

namespace toolwire::protocol {

/// Thread-safe.
class ResourceSubscriptions {
 public:
  explicit ResourceSubscriptions(std::size_t bound) : bound_(bound) {}

  /// Returns false if there are too many already.
  bool add(std::string_view uri) {
    const MutexLock lock(mutex_);
    if (uris_.contains(uri)) return true;
    if (uris_.size() >= bound_) return false;
    uris_.emplace(uri);
    return true;
  }
  void remove(std::string_view uri) {
    const MutexLock lock(mutex_);
    if (auto found = uris_.find(uri); found != uris_.end()) uris_.erase(found);
  }
  void clear() {
    const MutexLock lock(mutex_);
    uris_.clear();
  }
  bool has(std::string_view uri) const {
    const MutexLock lock(mutex_);
    return uris_.contains(uri);
  }

 private:
  const std::size_t bound_;
  mutable Mutex mutex_;
  std::set<std::string, std::less<>> uris_ TOOLWIRE_GUARDED_BY(mutex_);
};

}  // namespace toolwire::protocol
