#include "client/pending.hpp"

#include <algorithm>
#include <utility>

namespace toolwire::client {

void Failure::raise() const {
  switch (kind) {
    case Kind::refused:
      throw ProtocolError(code, text, data);
    case Kind::timed_out:
      throw TimeoutError(text);
    case Kind::cancelled:
      throw CancelledError(text);
    case Kind::lost:
      break;
  }
  throw ConnectionError(text);
}

std::exception_ptr Failure::exception() const {
  try {
    raise();
  } catch (...) {
    return std::current_exception();
  }
}

bool Pending::complete(Outcome outcome) {
  {
    const MutexLock lock(mutex_);
    if (outcome_) return false;
    outcome_ = std::move(outcome);
    done_.notify_all();
  }
  if (on_done) on_done();
  return true;
}

bool Pending::is_done() const {
  const MutexLock lock(mutex_);
  return outcome_.has_value();
}

bool Pending::wait_until(Clock::time_point deadline) {
  MutexLock lock(mutex_);
  return done_.wait_until(lock, deadline, [this]() TOOLWIRE_REQUIRES(mutex_) { return outcome_.has_value(); });
}

void Pending::wait() {
  MutexLock lock(mutex_);
  done_.wait(lock, [this]() TOOLWIRE_REQUIRES(mutex_) { return outcome_.has_value(); });
}

Json Pending::result() const {
  const MutexLock lock(mutex_);
  if (const auto* failure = std::get_if<Failure>(&*outcome_)) failure->raise();
  return std::get<Json>(*outcome_);
}

Pending::Outcome Pending::take_outcome() {
  const MutexLock lock(mutex_);
  return std::move(*outcome_);
}

std::int64_t PendingTable::add(const std::shared_ptr<Pending>& pending) {
  const MutexLock lock(mutex_);
  if (closed_) throw ConnectionError(closed_->reason);
  by_id_.erase(pending->id);
  const std::int64_t id = next_id_++;
  pending->id = id;
  by_id_.emplace(id, pending);
  return id;
}

std::shared_ptr<Pending> PendingTable::find(std::int64_t id) const {
  const MutexLock lock(mutex_);
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : found->second;
}

std::shared_ptr<Pending> PendingTable::take(std::int64_t id) {
  const MutexLock lock(mutex_);
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return nullptr;
  auto pending = std::move(found->second);
  by_id_.erase(found);
  return pending;
}

std::shared_ptr<Pending> PendingTable::take_answered(std::int64_t id) {
  const MutexLock lock(mutex_);
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return nullptr;
  newest_answered_ = std::max(newest_answered_, id);
  auto pending = std::move(found->second);
  by_id_.erase(found);
  return pending;
}

void PendingTable::note_other_line() {
  const MutexLock lock(mutex_);
  after_other_line_ = next_id_;
}

std::shared_ptr<Pending> PendingTable::only_one_to_fail() const {
  const MutexLock lock(mutex_);
  if (newest_answered_ < after_other_line_) return nullptr;
  std::shared_ptr<Pending> only;
  for (const auto& [id, pending] : by_id_) {
    if (pending->awaits_no_answer) continue;
    if (only != nullptr) return nullptr;
    only = pending;
  }
  return only;
}

void PendingTable::put_back(const std::shared_ptr<Pending>& pending) {
  std::string reason;
  {
    const MutexLock lock(mutex_);
    if (!closed_) {
      by_id_.emplace(pending->id, pending);
      return;
    }
    reason = closed_->reason;
  }
  pending->complete(Failure{.kind = Failure::Kind::lost, .text = reason});
}

bool PendingTable::awaits_answer() const {
  const MutexLock lock(mutex_);
  return std::any_of(by_id_.begin(), by_id_.end(), [](const auto& entry) { return !entry.second->on_notification; });
}

std::vector<std::shared_ptr<Pending>> PendingTable::listening() const {
  const MutexLock lock(mutex_);
  std::vector<std::shared_ptr<Pending>> all;
  for (const auto& [id, pending] : by_id_) {
    if (pending->on_notification) all.push_back(pending);
  }
  return all;
}

void PendingTable::close(const std::string& reason) {
  std::unordered_map<std::int64_t, std::shared_ptr<Pending>> all;
  {
    const MutexLock lock(mutex_);
    if (!closed_) closed_ = Closed{reason, Clock::now()};
    all.swap(by_id_);
  }
  for (const auto& [id, pending] : all) pending->complete(Failure{.kind = Failure::Kind::lost, .text = reason});
}

std::optional<PendingTable::Closed> PendingTable::closed() const {
  const MutexLock lock(mutex_);
  return closed_;
}

}  // namespace toolwire::client
