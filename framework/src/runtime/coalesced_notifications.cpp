#include "runtime/coalesced_notifications.hpp"

#include <utility>

namespace toolwire::runtime {

void CoalescedNotifications::append(std::string kind, std::string line, std::shared_ptr<Call> call) {
  Kept kept{std::move(line), std::move(call)};
  const MutexLock lock(mutex_);
  // The bound is checked under the lock: `release`, which takes it too, comes after the output has gone below.
  if (output_.above_soft()) {
    kept_.insert_or_assign(std::move(kind), std::move(kept));
    return;
  }
  kept_.erase(kind);
  append_now(std::move(kept));
}

void CoalescedNotifications::release() {
  const MutexLock lock(mutex_);
  while (!kept_.empty() && !output_.above_soft()) append_now(std::move(kept_.extract(kept_.begin()).mapped()));
}

void CoalescedNotifications::release_all() {
  const MutexLock lock(mutex_);
  while (!kept_.empty()) append_now(std::move(kept_.extract(kept_.begin()).mapped()));
}

void CoalescedNotifications::forget_closed() {
  const MutexLock lock(mutex_);
  std::erase_if(kept_, [](const auto& entry) { return entry.second.call && entry.second.call->is_over(); });
}

void CoalescedNotifications::append_now(Kept kept) {
  const auto append = [&] { output_.append(std::move(kept.line)); };
  kept.call ? static_cast<void>(kept.call->while_open(append)) : append();
}

}  // namespace toolwire::runtime
