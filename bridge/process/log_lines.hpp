// Lines for the operator, with a bound per second, so that a back-end that floods the log does not drown the others.
// Independent of where they go.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include <toolwire/text.hpp>

#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge {

/// Thread-safe.
class LogLines {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t per_second = 20;
  static constexpr std::size_t max_line = 4096;

  LogLines(std::string subject, std::function<void(const std::string&)> write)
      : subject_(std::move(subject)), write_(std::move(write)) {}

  void operator()(std::string_view text, Clock::time_point now = Clock::now()) {
    if (!write_) return;
    std::string line = text::stripped(text::head(text, max_line), {.tabs = true});
    {
      const MutexLock lock(mutex_);
      if (now - begun_ >= std::chrono::seconds(1)) {
        begun_ = now;
        written_ = 0;
      }
      if (++written_ > per_second) {
        ++dropped_;
        return;
      }
      if (dropped_ > 0) line += " (" + std::to_string(dropped_) + " lines before this one were dropped)";
      dropped_ = 0;
    }
    write_(subject_ + ": " + line);
  }

 private:
  const std::string subject_;
  const std::function<void(const std::string&)> write_;
  Mutex mutex_;
  Clock::time_point begun_ TOOLWIRE_GUARDED_BY(mutex_) = {};
  std::size_t written_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  std::size_t dropped_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
};

}  // namespace toolwire::bridge
