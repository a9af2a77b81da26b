// What happens to `toolwire dev`, in its order: threads that read tell it here, and one thread acts.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <toolwire/detail/condition_variable.hpp>
#include <toolwire/detail/mutex.hpp>
#include <utility>
#include <variant>

#include "conversation.hpp"

namespace toolwire::dev {

struct HostLine {
  std::string text;
};
struct HostEnded {};
/// Somebody asks this process to end.
struct EndAsked {};
struct ServerLine {
  Version version;
  std::string text;
};
/// All that it wrote has been told.
struct ServerEnded {
  Version version;
};
/// One of the files that the server is made of.
struct FilesChanged {};

using Event = std::variant<HostLine, HostEnded, EndAsked, ServerLine, ServerEnded, FilesChanged>;

/// Thread-safe.
class Events {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// Waits while there are too many.
  void push(Event event) {
    MutexLock lock(mutex_);
    changed_.wait(lock, [this]() TOOLWIRE_REQUIRES(mutex_) { return events_.size() < most; });
    events_.push_back(std::move(event));
    changed_.notify_all();
  }

  /// The next one; nothing if there is none until then.
  std::optional<Event> next(std::optional<Time> until) {
    MutexLock lock(mutex_);
    const auto there = [this]() TOOLWIRE_REQUIRES(mutex_) { return !events_.empty(); };
    if (until)
      changed_.wait_until(lock, *until, there);
    else
      changed_.wait(lock, there);
    if (events_.empty()) return std::nullopt;
    Event event = std::move(events_.front());
    events_.pop_front();
    changed_.notify_all();
    return event;
  }

 private:
  static constexpr std::size_t most = 1024;
  Mutex mutex_;
  ConditionVariable changed_;
  std::deque<Event> events_ TOOLWIRE_GUARDED_BY(mutex_) = {};
};

}  // namespace toolwire::dev
