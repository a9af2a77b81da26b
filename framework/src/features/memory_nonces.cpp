#include "features/memory_nonces.hpp"

namespace toolwire::features {

bool MemoryNonces::use(std::string_view nonce, Time expires, Time now) {
  const MutexLock lock(mutex_);
  while (!by_expiry_.empty() && by_expiry_.begin()->first <= now) {
    const auto expired = used_.find(by_expiry_.begin()->second);
    by_expiry_.erase(by_expiry_.begin());
    used_.erase(expired);
  }
  if (used_.size() >= bound_) return false;
  const auto [entry, is_new] = used_.emplace(nonce);
  if (is_new) by_expiry_.emplace(expires, *entry);
  return is_new;
}

}  // namespace toolwire::features
