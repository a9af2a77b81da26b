// Lines for the operator, with a bound per second, so that a back-end that floods the log does not drown the others.
// Independent of where they go.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge {

/// Recognises what Python and Node print of an error that nobody has caught. One line at a time.
class Traceback {
 public:
  /// Whether the next line belongs to one.
  bool takes(std::string_view line);

 private:
  bool is_open_ = false;  // a line that is not indented is its last
};

/// What does not fit into a second is dropped, which is said when it begins; of a traceback nothing is, unless it is
/// very long. Thread-safe.
class LogLines {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t per_second = 20;
  static constexpr std::size_t traced_per_second = 1000;  // lines of tracebacks, besides; and as many of the bridge
  static constexpr std::size_t max_line = 4096;           // bytes

  LogLines(std::string subject, std::function<void(const std::string&)> write)
      : subject_(std::move(subject)), write_(std::move(write)) {}

  void operator()(std::string_view text, Clock::time_point now = Clock::now());

  /// What the bridge says of the back-end itself: it has a bound of its own, however much that writes.
  void own(std::string_view text, Clock::time_point now = Clock::now());

 private:
  enum class Fate { written, dropped, first_dropped };
  void begin_second(Clock::time_point now) TOOLWIRE_REQUIRES(mutex_);
  Fate fate_of(std::string_view text) TOOLWIRE_REQUIRES(mutex_);
  void write(std::string_view text, bool is_own, Clock::time_point now);

  const std::string subject_;
  const std::function<void(const std::string&)> write_;
  Mutex mutex_;
  Traceback traceback_ TOOLWIRE_GUARDED_BY(mutex_);
  Clock::time_point begun_ TOOLWIRE_GUARDED_BY(mutex_) = {};
  std::size_t written_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  std::size_t traced_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  std::size_t own_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  std::size_t dropped_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
};

}  // namespace toolwire::bridge
