// Nonces that have been used, remembered by this process as long as they could be used again. Independent of what they
// seal.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "features/forgetting_clock.hpp"
#include "toolwire/detail/mutex.hpp"
#include "toolwire/stores.hpp"

namespace toolwire::features {

/// Thread-safe. Time is given, not asked for.
class MemoryNonces {
 public:
  using Time = std::chrono::system_clock::time_point;

  /// `bound`: nonces that are remembered at once.
  explicit MemoryNonces(std::size_t bound) : bound_(bound) {}

  /// Uses up a nonce, which is not accepted from `expires` on. False if it was used before, or if too many are
  /// remembered to take another.
  bool use(std::string_view nonce, Time expires, Time now);

 private:
  const std::size_t bound_;
  Mutex mutex_;
  std::set<std::string, std::less<>> used_ TOOLWIRE_GUARDED_BY(mutex_);
  std::set<std::pair<Time, std::string_view>> by_expiry_ TOOLWIRE_GUARDED_BY(mutex_);  // the texts are in `used_`
};

/// A store of `bound` nonces at most in memory, which forgets them by that clock.
std::shared_ptr<NonceStore> nonces_in_memory(std::size_t bound, ForgettingClock clock);

}  // namespace toolwire::features
