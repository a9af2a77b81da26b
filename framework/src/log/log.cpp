#include "log/log.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <toolwire/system/standard_streams.hpp>
#include <utility>

#include "toolwire/detail/condition_variable.hpp"
#include "toolwire/detail/mutex.hpp"
#include "toolwire/limits.hpp"
#include "toolwire/system/log_line.hpp"
#include "toolwire/text.hpp"

namespace toolwire::process {
namespace {

/// Its thread may be stuck in write(2) forever, so the object is never destroyed and the thread never joined.
class LogBuffer {
 public:
  void add(std::string_view text) {
    const MutexLock lock(mutex_);
    waiting_.append("toolwire: ").append(text).push_back('\n');
    drop_oldest();
    if (!writer_.joinable()) writer_ = std::thread([this] { write_for_ever(); });
    changed_.notify_all();
  }

  void wait_until_written(int milliseconds) {
    MutexLock lock(mutex_);
    changed_.wait_for(lock, std::chrono::milliseconds(milliseconds),
                      [this]() TOOLWIRE_REQUIRES(mutex_) { return waiting_.empty() && !writing_; });
  }

 private:
  void drop_oldest() TOOLWIRE_REQUIRES(mutex_) {
    const std::size_t bound = Limits{}.log_buffer;
    while (waiting_.size() > bound) {
      std::size_t end = waiting_.find('\n');
      waiting_.erase(0, end == std::string::npos ? waiting_.size() : end + 1);
      ++dropped_;
    }
  }

  void write_for_ever() {
    MutexLock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this]() TOOLWIRE_REQUIRES(mutex_) { return !waiting_.empty(); });
      std::string text;
      if (dropped_ > 0) text = "toolwire: " + std::to_string(std::exchange(dropped_, 0)) + " lines were dropped here\n";
      text.append(std::exchange(waiting_, {}));
      writing_ = true;
      lock.unlock();
      system::write_to_standard_error(text);
      lock.lock();
      writing_ = false;
      changed_.notify_all();
    }
  }

  Mutex mutex_;
  ConditionVariable changed_;
  std::string waiting_ TOOLWIRE_GUARDED_BY(mutex_);
  std::size_t dropped_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  bool writing_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  std::thread writer_ TOOLWIRE_GUARDED_BY(mutex_);
};

LogBuffer& buffer() {
  // NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): it has to outlive every thread
  static LogBuffer& the_buffer = *new LogBuffer;
  return the_buffer;
}

}  // namespace

void log(std::string_view text) noexcept {
  try {
    buffer().add(text::visible(text, text::lines));
  } catch (...) {  // out of memory or threads: there is nobody left to tell
  }
}

void flush_log(int milliseconds) noexcept {
  try {
    buffer().wait_until_written(milliseconds);
  } catch (...) {
  }
}

}  // namespace toolwire::process

namespace toolwire {

void log_line(std::string_view text) noexcept {
  try {
    std::string line(text);
    std::ranges::replace(line, '\n', '|');
    std::ranges::replace(line, '\t', ' ');
    process::log(line);
  } catch (...) {  // out of memory
  }
}

}  // namespace toolwire
