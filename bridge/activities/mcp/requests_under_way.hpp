// The requests that a back-end works on, so that a message that names no request can be assigned to one. Independent of
// the messages.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "activities/mcp/back_request.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge::mcp {

/// Thread-safe. Keeps no request alive.
class RequestsUnderWay {
 public:
  void add(const std::shared_ptr<BackRequest>& request) {
    const MutexLock lock(mutex_);
    if (requests_.size() >= clean_up_at_) clean_up();
    requests_.push_back(request);
  }

  std::vector<std::shared_ptr<BackRequest>> newest_first() const {
    std::vector<std::shared_ptr<BackRequest>> newest;
    const MutexLock lock(mutex_);
    for (auto weak = requests_.rbegin(); weak != requests_.rend(); ++weak) {
      if (auto one = weak->lock()) newest.push_back(std::move(one));
    }
    return newest;
  }

 private:
  void clean_up() TOOLWIRE_REQUIRES(mutex_) {
    std::erase_if(requests_, [](const auto& weak) {
      const auto one = weak.lock();
      return one == nullptr || one->is_over();
    });
    clean_up_at_ = std::max<std::size_t>(64, 2 * requests_.size());
  }

  mutable Mutex mutex_;
  std::vector<std::weak_ptr<BackRequest>> requests_ TOOLWIRE_GUARDED_BY(mutex_);  // the oldest first
  std::size_t clean_up_at_ TOOLWIRE_GUARDED_BY(mutex_) = 64;
};

}  // namespace toolwire::bridge::mcp
