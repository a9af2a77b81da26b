#include "log/log.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <list>
#include <memory>
#include <string>
#include <thread>
#include <toolwire/system/standard_streams.hpp>
#include <utility>

#include "system/current_call.hpp"
#include "toolwire/detail/condition_variable.hpp"
#include "toolwire/detail/mutex.hpp"
#include "toolwire/detail/what_of.hpp"
#include "toolwire/limits.hpp"
#include "toolwire/log.hpp"
#include "toolwire/system/log_line.hpp"
#include "toolwire/text.hpp"

namespace toolwire::process {
namespace {

using Sink = std::shared_ptr<const LogSink>;  // null: stderr
using Entries = std::list<LogEntry>;          // without any it needs no memory

LogEntry entry_of(LogLevel level, std::string text) {
  LogEntry entry{.level = level, .time = std::chrono::system_clock::now(), .text = std::move(text)};
  const system::CurrentCall* const call = system::current_call();
  if (call == nullptr) return entry;
  if (call->kind == "tool") entry.tool = call->name;
  entry.connection = call->connection;
  return entry;
}

void append_line(std::string& lines, const LogEntry& entry) {
  lines.append("toolwire: ").append(entry.text).push_back('\n');
}

void write_lines(const Entries& entries) {
  std::string lines;
  for (const LogEntry& entry : entries) append_line(lines, entry);
  system::write_to_standard_error(lines);
}

void hand_over(const LogEntry& entry, const LogSink& sink) {
  try {
    sink(entry);
  } catch (...) {
    const std::string why = "the log sink has failed: " + detail::what_of(std::current_exception());
    write_lines({{.text = text::visible(why)}, entry});
  }
}

/// Its thread may be stuck in write(2) forever, so the object is never destroyed and the thread never joined.
class LogBuffer {
 public:
  void add(LogEntry&& entry) {
    if (is_writer_) return write_lines({std::move(entry)});  // of the sink itself
    const MutexLock lock(mutex_);
    bytes_ += size_of(entry);
    waiting_.push_back(std::move(entry));
    drop_oldest();
    if (!writer_.joinable()) writer_ = std::thread([this] { write_for_ever(); });
    changed_.notify_all();
  }

  void set(Sink sink) {
    MutexLock lock(mutex_);
    sink_.swap(sink);
    if (!is_writer_ && sink) changed_.wait(lock, [this]() TOOLWIRE_REQUIRES(mutex_) { return !writing_; });
  }

  void wait_until_written(int milliseconds) {
    if (is_writer_) return;
    MutexLock lock(mutex_);
    changed_.wait_for(lock, std::chrono::milliseconds(milliseconds),
                      [this]() TOOLWIRE_REQUIRES(mutex_) { return waiting_.empty() && !writing_; });
  }

 private:
  /// What an entry counts for in Limits::log_buffer.
  static std::size_t size_of(const LogEntry& entry) { return sizeof entry + entry.tool.size() + entry.text.size(); }

  void drop_oldest() TOOLWIRE_REQUIRES(mutex_) {
    for (; bytes_ > Limits{}.log_buffer && !waiting_.empty(); waiting_.pop_front()) {
      bytes_ -= size_of(waiting_.front());
      ++dropped_;
    }
  }

  /// What waits, to be written without the lock.
  struct Batch {
    Entries entries;
    std::size_t dropped = 0;  // before them
    Sink sink;
    void write() noexcept;
  };
  Batch take() TOOLWIRE_REQUIRES(mutex_) {
    bytes_ = 0;
    return {std::exchange(waiting_, {}), std::exchange(dropped_, 0), sink_};
  }

  void write_for_ever() {
    is_writer_ = true;
    MutexLock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this]() TOOLWIRE_REQUIRES(mutex_) { return !waiting_.empty() || dropped_ > 0; });
      Batch batch = take();
      writing_ = true;
      lock.unlock();
      batch.write();
      lock.lock();
      writing_ = false;
      changed_.notify_all();
    }
  }

  static inline thread_local constinit bool is_writer_ = false;

  Mutex mutex_;
  ConditionVariable changed_;
  Entries waiting_ TOOLWIRE_GUARDED_BY(mutex_);
  std::size_t bytes_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  std::size_t dropped_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  Sink sink_ TOOLWIRE_GUARDED_BY(mutex_);
  bool writing_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  std::thread writer_ TOOLWIRE_GUARDED_BY(mutex_);
};

void LogBuffer::Batch::write() noexcept {
  try {
    if (dropped > 0)
      entries.push_front(entry_of(LogLevel::warning, std::to_string(dropped) + " lines were dropped here"));
    if (!sink) return write_lines(entries);
    for (const LogEntry& entry : entries) hand_over(entry, *sink);
  } catch (...) {  // out of memory: they are lost
  }
}

constexpr int time_at_exit = 100;  // milliseconds

/// What is said last, after serving, is written too before the process ends.
LogBuffer* buffer_until_exit() {
  std::atexit([] { flush_log(time_at_exit); });
  return new LogBuffer;
}

LogBuffer& buffer() {
  // NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): it has to outlive every thread
  static LogBuffer& the_buffer = *buffer_until_exit();
  return the_buffer;
}

}  // namespace

void log(LogLevel level, std::string_view text) noexcept {
  try {
    buffer().add(entry_of(level, text::visible(text, text::lines)));
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

void set_log_sink(LogSink sink) {
  process::buffer().set(sink ? std::make_shared<const LogSink>(std::move(sink)) : nullptr);
}

void log_line(LogLevel level, std::string_view text) noexcept {
  try {
    std::string line(text);
    std::ranges::replace(line, '\n', '|');
    std::ranges::replace(line, '\t', ' ');
    process::log(level, line);
  } catch (...) {  // out of memory
  }
}

void log_line(std::string_view text) noexcept { log_line(LogLevel::notice, text); }

}  // namespace toolwire
