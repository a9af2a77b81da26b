// How many subscriptions of a client want to hear of a resource, in the revisions where all of them share one
// resources/subscribe (2025-11-25 server/resources). Independent of the wire.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "toolwire/detail/mutex.hpp"

namespace toolwire::client {

/// Thread-safe.
class WatchedResources {
 public:
  void add(std::string_view uri) {
    const MutexLock lock(mutex_);
    ++counts_[std::string{uri}];
  }
  /// Returns whether no subscriber is left.
  bool remove(std::string_view uri) {
    const MutexLock lock(mutex_);
    const auto found = counts_.find(uri);
    if (found == counts_.end() || --found->second > 0) return false;
    counts_.erase(found);
    return true;
  }
  [[nodiscard]] bool has(std::string_view uri) const {
    const MutexLock lock(mutex_);
    return counts_.contains(uri);
  }

 private:
  mutable Mutex mutex_;
  std::map<std::string, int, std::less<>> counts_ TOOLWIRE_GUARDED_BY(mutex_);
};

}  // namespace toolwire::client
