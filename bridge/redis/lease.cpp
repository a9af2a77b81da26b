#include "lease.hpp"

#include <array>
#include <string_view>
#include <utility>

#include "system/random_text.hpp"

namespace toolwire::redis {
namespace {

constexpr std::size_t id_parts = 4;           // 128 random bits
constexpr int removals = 2;                   // of a task that may have been stored
constexpr int renewals = 3;                   // in the length of a lease
constexpr std::size_t most_missing = 10'000;  // leases that are watched; more than there are replicas

}  // namespace

Lease::Lease(std::shared_ptr<Client> client, std::chrono::milliseconds length, Forget forget)
    : client_(std::move(client)),
      length_(length),
      name_(client_->sealing().names("lease", bridge::random_text(id_parts)).front()),
      forget_(std::move(forget)),
      timers_(client_->engine()) {}

void Lease::has_begun(const std::string& task) {
  const MutexLock lock(mutex_);
  tasks_.insert(task);
  renew_later();
}

void Lease::has_ended(const std::string& task) {
  const MutexLock lock(mutex_);
  tasks_.erase(task);
}

void Lease::is_uncertain(const std::string& task) {
  const MutexLock lock(mutex_);
  tasks_.erase(task);
  uncertain_[task] = 0;
  renew_later();
}

/// Idle, nothing wakes up.
void Lease::renew_later() {
  if (planned_ || (tasks_.empty() && uncertain_.empty())) return;
  planned_ = true;
  timers_.after(length_ / renewals, [this] { renew(); });
}

/// One that fails is followed by the next: whether it was done does not matter.
void Lease::renew() {
  bool is_needed = false;
  {
    const MutexLock lock(mutex_);
    planned_ = false;
    is_needed = !tasks_.empty();
    renew_later();
  }
  const std::string life = std::to_string(length_.count());
  const std::array<std::string_view, 5> command{"SET", name_, "1", "PX", life};
  if (is_needed) client_->ask(command, Done<Reply>([](auto&&) {}));
  forget_uncertain();
}

/// Twice: what was sent on a connection that has ended may be done after what is sent on the next one.
void Lease::forget_uncertain() {
  std::map<std::string, int> tasks;
  {
    const MutexLock lock(mutex_);
    tasks = uncertain_;
  }
  for (const auto& entry : tasks) {
    forget_(entry.first, Done<bool>([weak = weak_from_this(), task = entry.first](Done<bool>::Result&& result) {
              const auto self = weak.lock();
              if (!self || result.index() != 0) return;
              const MutexLock lock(self->mutex_);
              const auto place = self->uncertain_.find(task);
              if (place != self->uncertain_.end() && ++place->second == removals) self->uncertain_.erase(place);
            }));
  }
}

std::optional<bool> MissingLeases::judge(const std::string& lease, bool is_there, Clock::time_point now) {
  const MutexLock lock(mutex_);
  if (is_there) {
    missing_.erase(lease);
    return true;
  }
  if (missing_.size() >= most_missing) missing_.clear();
  const auto since = missing_.emplace(lease, now).first->second;
  return now - since >= patience_ ? std::optional(false) : std::nullopt;
}

}  // namespace toolwire::redis
