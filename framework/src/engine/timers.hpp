// Things to do later: deadlines, questions that grow old. No thread of its own; the engine's monitor asks it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace toolwire::engine {

/// Thread-safe. What is due runs on the thread that calls `run_due`, outside of the lock; it must be short.
class Timers {
 public:
  using Clock = std::chrono::steady_clock;
  using Handle = std::pair<Clock::time_point, std::uint64_t>;

  /// Returns a handle for `cancel`, and whether this is now the earliest (the monitor must look again). `owner`: whom
  /// `drop` names.
  std::pair<Handle, bool> add(Clock::time_point when, std::function<void()> what, const void* owner = nullptr) {
    std::lock_guard lock(mutex_);
    Handle handle{when, ++serial_};
    if (closed_) return {handle, false};
    bool earliest = due_.empty() || when < due_.begin()->first.first;
    due_.emplace(handle, Due{std::move(what), owner});
    return {handle, earliest};
  }

  void cancel(const Handle& handle) {
    decltype(due_)::node_type cancelled;  // destroyed outside of the lock: what it owns may cancel other timers
    std::lock_guard lock(mutex_);
    cancelled = due_.extract(handle);
  }

  /// Drops what this owner has added so far.
  void drop(const void* owner) {
    std::map<Handle, Due> dropped;  // destroyed outside of the lock
    std::lock_guard lock(mutex_);
    for (auto due = due_.begin(); due != due_.end();) {
      const auto next = std::next(due);
      if (due->second.owner == owner) dropped.insert(due_.extract(due));
      due = next;
    }
  }

  /// Nobody will call `run_due` any more: drops what there is, and what is added later.
  void close() {
    std::map<Handle, Due> dropped;
    std::lock_guard lock(mutex_);
    closed_ = true;
    dropped.swap(due_);  // destroyed outside of the lock
  }

  std::optional<Clock::time_point> next() const {
    std::lock_guard lock(mutex_);
    if (due_.empty()) return std::nullopt;
    return due_.begin()->first.first;
  }

  /// Needs no memory.
  void run_due(Clock::time_point now) {
    std::map<Handle, Due> ready;
    {
      std::lock_guard lock(mutex_);
      while (!due_.empty() && due_.begin()->first.first <= now) ready.insert(due_.extract(due_.begin()));
    }
    for (auto& [handle, due] : ready) due.what();
  }

 private:
  struct Due {
    std::function<void()> what;
    const void* owner;
  };

  mutable std::mutex mutex_;
  std::uint64_t serial_ = 0;
  bool closed_ = false;
  std::map<Handle, Due> due_;
};

}  // namespace toolwire::engine
