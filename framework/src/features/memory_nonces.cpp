#include "features/memory_nonces.hpp"

namespace toolwire::features {

bool MemoryNonces::use(std::string_view nonce, Time expires, Time now) {
  const MutexLock lock(mutex_);
  while (!by_expiry_.empty() && by_expiry_.begin()->first <= now) {
    const auto expired = used_.find(by_expiry_.begin()->second);
    by_expiry_.erase(by_expiry_.begin());
    used_.erase(expired);
  }
  if (used_.size() >= bound_ || used_.contains(nonce)) return false;
  by_expiry_.emplace(expires, *used_.emplace(nonce).first);
  return true;
}

}  // namespace toolwire::features
