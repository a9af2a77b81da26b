#include "toolwire/http/waiting_exchange.hpp"

#include <utility>

namespace toolwire::http {
namespace {
constexpr std::size_t max_kept = std::size_t{1} << 20;  // bytes, before it is behind
}  // namespace

Head WaitingExchange::head() {
  MutexLock lock(mutex_);
  changed_.wait(lock, [this]() TOOLWIRE_REQUIRES(mutex_) { return head_.has_value(); });
  return *head_;
}

std::optional<std::string> WaitingExchange::next(std::chrono::milliseconds time) {
  std::string taken;
  {
    MutexLock lock(mutex_);
    changed_.wait_for(lock, time, [this]() TOOLWIRE_REQUIRES(mutex_) { return !bytes_.empty() || finished_; });
    if (bytes_.empty()) return finished_ ? std::nullopt : std::optional<std::string>(std::in_place);
    taken.swap(bytes_);
  }
  if (taken.size() > max_kept) caught_up();
  return taken;
}

void WaitingExchange::start(const Head& head) {
  const MutexLock lock(mutex_);
  head_ = head;
  changed_.notify_all();
}

void WaitingExchange::write(std::string_view bytes) {
  const MutexLock lock(mutex_);
  bytes_.append(bytes);
  changed_.notify_all();
}

void WaitingExchange::finish() {
  const MutexLock lock(mutex_);
  finished_ = true;
  changed_.notify_all();
}

bool WaitingExchange::is_behind() const {
  const MutexLock lock(mutex_);
  return bytes_.size() > max_kept;
}

}  // namespace toolwire::http
